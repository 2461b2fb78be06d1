using Postrider.Broker.Sessions;

namespace Postrider.Broker.Routes;

/// <summary>Applies changed options to the routes of a running broker.</summary>
/// <remarks>Source: nats-server, reload of clusters.</remarks>
internal static class RouteReload
{
    /// <summary>Applies the options: servers are added and removed, the pool is resized, accounts get a dedicated route or share one again, and
    /// routes whose certificate is no longer among the pinned ones end.</summary>
    /// <param name="context">The context of the routes.</param>
    /// <param name="dialer">Connects to the other servers.</param>
    /// <param name="options">Valid options that need no restart.</param>
    /// <param name="tls">The certificates for new connections.</param>
    public static void Apply(RouteContext context, RouteDialer dialer, ClusterOptions options, TlsMaterial? tls)
    {
        var system = context.Sessions.Accounts.System?.Name;
        var (poolSize, before, now) = (context.PoolSize, context.Options.PinnedAccounts(system), options.PinnedAccounts(system));
        context.Apply(options, tls);
        End(context, session => tls?.Rejects(session.Tls) == true, ClosedState.TlsHandshakeError);
        var removed = before.Except(now, StringComparer.Ordinal).ToList();
        foreach (var account in now.Except(before, StringComparer.Ordinal)) Move(context, account);
        foreach (var account in removed)
        {
            dialer.Forget(account);
            End(context, session => session.PinnedAccount == account);
        }
        if (poolSize != context.PoolSize)
        {
            dialer.Restart();
            End(context, static session => session.PinnedAccount is null);
        }
        // To the routes that the accounts share from now on; those that exist already get no message.
        foreach (var account in removed.Select(context.Sessions.Accounts.Find).OfType<Accounts.Account>())
            foreach (var session in context.Registry.Registered) session.Announce(account);
        dialer.Update();
    }

    // Each other server is notified over the route that the account has used so far.
    private static void Move(RouteContext context, string account)
    {
        context.Withdraw(account);
        foreach (var session in context.Registry.Registered.Where(session => session is { PinnedAccount: null, IsWithoutPool: false } && session.IsFor(account)))
            session.Send(context.RenderAccountRequest(account));
    }

    private static void End(RouteContext context, Func<RouteSession, bool> filter, ClosedState reason = ClosedState.RouteRemoved)
    {
        foreach (var session in context.Registry.Open.Where(filter)) session.End(reason, null);
    }
}
