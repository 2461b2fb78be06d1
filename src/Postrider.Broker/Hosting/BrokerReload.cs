using Microsoft.Extensions.Logging;
using Postrider.Broker.Configuration;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Brings changed options to a running broker.</summary>
internal static class BrokerReload
{
    /// <summary>Takes the options over, or nothing of them.</summary>
    /// <param name="context">The broker's.</param>
    /// <param name="options">Valid options.</param>
    /// <param name="port">The port listened on; 0 without one.</param>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/> when a difference needs a restart.</exception>
    public static void Apply(SessionContext context, BrokerOptions options, int port)
    {
        var (before, authenticator) = (context.Options, context.Authenticator);
        if (OptionsDiff.FindRefused(before, options) is { } refusal) throw new BrokerException(BrokerError.InvalidOptions, refusal);
        context.Apply(options);
        Announce(context, port);
        var surplus = options.MaxConnections > 0 ? context.Sessions.Count - options.MaxConnections : 0;
        if (surplus > 0) CloseSurplus(context, surplus);
        foreach (var session in context.Sessions.Open) SessionReload.Apply(session, authenticator);
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
            AuthRequired = context.Authenticator is { IsRequired: true, HasNoAuthUser: false },
        };
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
