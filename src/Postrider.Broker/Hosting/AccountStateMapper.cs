using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Leafs;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routes;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Reads the state of an account for monitoring. Callable from any thread.</summary>
internal static class AccountStateMapper
{
    /// <summary>The account's state now.</summary>
    /// <param name="account">The account.</param>
    /// <param name="open">Its open sessions.</param>
    /// <param name="leafNodes">Its leaf node connections.</param>
    /// <param name="links">Its parts of routes.</param>
    /// <param name="state">The broker's state.</param>
    public static AccountState Read(Account account, IEnumerable<ClientSession> open, IEnumerable<LeafSession> leafNodes, IEnumerable<RouteLink> links, BrokerState state)
    {
        var imports = account.Imports;
        var ofLeafNodes = leafNodes.Aggregate(account.ClosedLeafTraffic.Read(), static (sum, session) => sum + session.Traffic);
        var ofRoutes = links.Aggregate(account.ClosedRouteTraffic.Read(), static (sum, link) => sum + link.Traffic.Read());
        var sums = account.ClosedTraffic.Read() + ofLeafNodes + ofRoutes;
        foreach (var session in open)
        {
            var outbox = session.Connection.Outbox;
            sums += new AccountCounters(session.InMessages, session.InBytes, outbox.Messages, outbox.MessageBytes, 0);
        }
        return new AccountState
        {
            Name = account.Name,
            IsSystem = account.IsSystem,
            UpdatedAt = account.UpdatedAt,
            JetStream = state.JetStream?.Accounts.Any(streams => ReferenceEquals(streams.Account, account)) == true,
            Connections = account.Connections,
            Subscriptions = account.Subscriptions.Count,
            InMessages = sums.InMessages,
            InBytes = sums.InBytes,
            OutMessages = sums.OutMessages,
            OutBytes = sums.OutBytes,
            SlowConsumers = sums.SlowConsumers,
            LeafNodeTraffic = ofLeafNodes,
            RouteTraffic = ofRoutes,
            Exports = account.Definition.Exports,
            Imports = [.. (imports?.Streams ?? []).Select(static stream => stream.Options), .. (imports?.Services ?? []).Select(static service => service.Options)],
            InvalidImports = imports?.Invalid ?? [],
            Mappings = account.Definition.Mappings,
            LeafNodes = state.Leafs?.Registry.CountOf(account) ?? 0,
            NameTag = account.NameTag,
            Trusted = state.TrustedAccounts?.FindKnown(account.Name),
            Services = imports?.Services,
            ReadPending = () => state.ReadPending(account),
        };
    }
}
