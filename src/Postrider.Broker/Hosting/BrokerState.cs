using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Monitoring;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>The broker's state for monitoring, read on demand.</summary>
internal sealed class BrokerState(SessionContext context, DateTimeOffset startedAt, Func<int> clientPort) : IBrokerState
{
    public BrokerOptions Options => context.Options;

    public string ServerId => context.Info.ServerId;

    public string ServerName => context.Info.ServerName;

    public DateTimeOffset StartedAt { get; } = startedAt;

    public DateTimeOffset ConfiguredAt { get; set; } = startedAt;

    public int ClientPort => clientPort();

    public IReadOnlyList<string> ConnectUrls => context.Info.ConnectUrls ?? [];

    public string? HealthProblem
    {
        get => field ?? (JetStream is { OfflineStreams: > 0 and var count } ? $"JetStream took {count} streams out of service" : JetStream?.Progress.Describe());
        set;
    }

    public string? HealthWarning => JetStream?.Progress.DescribeWarnings();

    /// <summary>The streams, where they are served.</summary>
    public JetStreamEngine? JetStream { get; set; }

    public JetStreamState? ReadJetStream() => JetStream is null ? null : JetStreamStateMapper.Read(JetStream);

    public JsonArray? ReadJetStreamDetails(JszQuery query) => JetStream is null ? null : JetStreamDetails.Read(JetStream, query);

    public BrokerCounters ReadCounters() => context.Sessions.Sum(context.Account.Subscriptions.Count);

    public IReadOnlyList<ConnectionInfo> OpenConnections(bool withSubscriptions)
        => [.. context.Sessions.Open.Select(session => SessionInfoMapper.Read(session, withSubscriptions))];

    public IReadOnlyList<ConnectionInfo> ClosedConnections(bool withSubscriptions) => context.Sessions.Closed();

    public SubscriptionCounters ReadSubscriptionCounters(string? account)
    {
        if (account is not null && !string.Equals(account, context.Account.Name, StringComparison.Ordinal)) return new SubscriptionCounters();
        var tree = context.Account.Subscriptions;
        var caches = context.Batches.All.Select(static batch => batch.Tag).OfType<MatchCache<Subscription>>().ToArray();
        var kept = caches.SelectMany(static cache => cache.Kept()).Select(static result => result.Plain.Count + result.Groups.Sum(static group => group.Count)).ToArray();
        var hits = caches.Sum(static cache => cache.Hits);
        var matches = hits + caches.Sum(static cache => cache.Misses);
        return new SubscriptionCounters
        {
            Subscriptions = tree.Count,
            Cached = kept.Length,
            Inserts = (ulong)tree.Inserts,
            Removes = (ulong)tree.Removes,
            Matches = (ulong)matches,
            CacheHitRate = matches == 0 ? 0 : (double)hits / matches,
            MaxFanout = kept.DefaultIfEmpty().Max(),
            AverageFanout = kept.DefaultIfEmpty().Average(),
        };
    }

    public IReadOnlyList<SubscriptionState> Subscriptions(string? account)
        => [.. context.Sessions.Open
            .Where(session => account is null || string.Equals(session.AccountName, account, StringComparison.Ordinal))
            .SelectMany(SessionInfoMapper.ReadSubscriptions)];
}
