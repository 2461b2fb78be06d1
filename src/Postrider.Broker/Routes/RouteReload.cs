using Postrider.Broker.Sessions;

namespace Postrider.Broker.Routes;

/// <summary>Brings changed options to the routes of a running broker.</summary>
/// <remarks>Source: nats-server, reloadClusterPoolAndAccounts.</remarks>
internal static class RouteReload
{
    /// <summary>Takes the options over: servers come and go, the pool gets another size, accounts get a route of their own or share one again.</summary>
    /// <param name="context">The routes'.</param>
    /// <param name="dialer">Connects to the other servers.</param>
    /// <param name="options">Valid options that need no restart.</param>
    /// <param name="tls">The certificates of new connections.</param>
    public static void Apply(RouteContext context, RouteDialer dialer, ClusterOptions options, TlsMaterial? tls)
    {
        var system = context.Sessions.Accounts.System?.Name;
        var (poolSize, before, now) = (context.PoolSize, context.Options.PinnedAccounts(system), options.PinnedAccounts(system));
        context.Apply(options, tls);
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
        // To those routes that the accounts share now; those that have it are told nothing.
        foreach (var account in removed.Select(context.Sessions.Accounts.Find).OfType<Accounts.Account>())
            foreach (var session in context.Registry.Registered) session.Announce(account);
        dialer.Update();
    }

    // Each other server learns of it by the route that the account has had.
    private static void Move(RouteContext context, string account)
    {
        context.Withdraw(account);
        foreach (var session in context.Registry.Registered.Where(session => session is { PinnedAccount: null, IsWithoutPool: false } && session.IsFor(account)))
            session.Send(context.RenderAccountRequest(account));
    }

    private static void End(RouteContext context, Func<RouteSession, bool> filter)
    {
        foreach (var session in context.Registry.Open.Where(filter)) session.End(ClosedState.RouteRemoved, null);
    }
}
