using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Broker.Configuration;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Applies changed options to a running broker.</summary>
internal static class BrokerReload
{
    /// <summary>Applies all changes, or none of them.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="options">Valid options.</param>
    /// <param name="certificates">Their certificates.</param>
    /// <param name="port">The port listened on; 0 without a listener.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/> when a difference needs a restart.</exception>
    public static void Apply(SessionContext context, BrokerOptions options, BrokerCertificates certificates, int port)
    {
        var (before, authenticator, webSockets) = (context.Options, context.Authenticator, context.WebSocket?.Authenticator);
        if (OptionsDiff.FindRefused(before, options) is { } refusal) throw new BrokerException(BrokerError.InvalidOptions, refusal);
        if (context.Tokens is null) PutAccounts(context.Accounts, options.Accounts);
        context.Apply(options, certificates);
        Announce(context, port);
        var surplus = options.MaxConnections > 0 ? context.Sessions.Count - options.MaxConnections : 0;
        if (surplus > 0) CloseSurplus(context, surplus);
        foreach (var session in context.Sessions.Open.Where(session => IsNoLongerPinned(session, certificates)))
            session.End(ClosedState.TlsHandshakeError, null);
        // In operator mode sessions are checked again once the accounts have been looked up.
        if (context.Tokens is null)
            foreach (var session in context.Sessions.Open) SessionReload.Apply(session, session.WebSocket is null ? authenticator : webSockets!);
        foreach (var line in OptionsDiff.List(before, options)) BrokerLog.Reloaded(context.Logger, line);
    }

    /// <summary>Announces the options to clients that connect from now on.</summary>
    public static void Announce(SessionContext context, int port)
    {
        var options = context.Options;
        var (host, advertised) = Advertised(options, port);
        context.Info = context.Info with
        {
            Host = host,
            Port = advertised,
            MaxPayload = options.MaxPayloadBytes,
            TlsRequired = options is { Tls: not null, AllowNonTls: false },
            TlsAvailable = options is { Tls: not null, AllowNonTls: true },
            TlsVerify = options.Tls is { RequiresCertificate: true },
            WebSocketConnectUrls = WebSocketUrls(context),
            AuthRequired = context.Authenticator is { IsRequired: true, HasNoAuthUser: false },
        };
    }

    private static bool IsNoLongerPinned(ClientSession session, BrokerCertificates certificates)
    {
        var material = session.WebSocket is null ? certificates.Clients : certificates.WebSocket;
        return material?.Rejects(session.Tls) == true;
    }

    // Clients of a removed account are disconnected when the users change.
    private static void PutAccounts(AccountRegistry accounts, IReadOnlyList<AccountOptions> definitions)
    {
        foreach (var account in accounts.All.ExceptBy(definitions.Select(static definition => definition.Name), static account => account.Name, StringComparer.Ordinal))
        {
            if (!accounts.Remove(account.Name)) accounts.Put(new AccountOptions { Name = account.Name });
        }
        accounts.PutAll(definitions);
    }

    // Announced only to clients of the listener, and only where the configuration names another address than the one they used.
    private static string[]? WebSocketUrls(SessionContext context)
    {
        if (context.WebSocket?.Options.Advertise is not { Length: > 0 } text) return null;
        return [HostPort.Split(text) is null ? $"{text}:{context.WebSocketPort}" : text];
    }

    private static (string Host, int Port) Advertised(BrokerOptions options, int port)
    {
        if (string.IsNullOrEmpty(options.ClientAdvertise)) return (options.Host, port);
        return HostPort.Split(options.ClientAdvertise) is var (host, text) && ushort.TryParse(text, out var advertised)
            ? (host, advertised)
            : (options.ClientAdvertise, port);
    }

    private static void CloseSurplus(SessionContext context, int surplus)
    {
        var closed = 0;
        foreach (var session in context.Sessions.Open.Take(surplus))
        {
            session.End(ClosedState.MaxConnectionsExceeded, "maximum connections exceeded");
            closed++;
        }
        BrokerLog.ClosedSurplus(context.Logger, closed);
    }
}
