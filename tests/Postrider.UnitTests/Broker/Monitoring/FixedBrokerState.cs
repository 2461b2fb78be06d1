using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.Monitoring;

namespace Postrider.UnitTests.Broker.Monitoring;

/// <summary>A broker that stands still: what a test says is what monitoring reads.</summary>
internal sealed class FixedBrokerState : IBrokerState
{
    internal static readonly DateTimeOffset Start = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    public BrokerOptions Options { get; init; } = new();

    public string ServerId => "NABC";

    public string ServerName => "n1";

    public DateTimeOffset StartedAt => Start;

    public DateTimeOffset ConfiguredAt { get; init; } = Start;

    public int ClientPort => 4333;

    public IReadOnlyList<string> ConnectUrls { get; init; } = [];

    public string? HealthProblem { get; init; }

    public string? HealthWarning { get; init; }

    internal BrokerCounters Counters { get; init; } = new();

    internal IReadOnlyList<ConnectionInfo> Open { get; init; } = [];

    internal IReadOnlyList<ConnectionInfo> Closed { get; init; } = [];

    /// <summary>The account that has JetStream, as monitoring shows it; null if JetStream is disabled.</summary>
    internal string? JetStreamAccount { get; init; }

    public JetStreamState? ReadJetStream() => JetStreamAccount is null ? null : new(
        new() { MaxMemoryBytes = 0, MaxStoreBytes = 0, StoreDirectory = "", SyncIntervalNanoseconds = 0 },
        new() { MemoryBytes = 0, StoreBytes = 0, ReservedMemoryBytes = 0, ReservedStoreBytes = 0, Accounts = 1, Api = new() { Level = 0, Total = 0, Errors = 0 } },
        1,
        1,
        0,
        0);

    public JsonArray? ReadJetStreamDetails(JszQuery query)
        => JetStreamAccount is not null && JsonNode.Parse(JetStreamAccount) is { } account && account["id"]!.GetValue<string>() == query.Account ? [account] : null;

    public BrokerCounters ReadCounters() => Counters;

    public IReadOnlyList<ConnectionInfo> OpenConnections(bool withSubscriptions) => [.. Open.Select(found => Cut(found, withSubscriptions))];

    public IReadOnlyList<ConnectionInfo> ClosedConnections(bool withSubscriptions) => [.. Closed.Select(found => Cut(found, withSubscriptions))];

    public SubscriptionCounters ReadSubscriptionCounters(string? account) => new() { Subscriptions = Subscriptions(account).Count, CacheHitRate = 0.5 };

    public IReadOnlyList<SubscriptionState> Subscriptions(string? account) =>
        [.. Open.SelectMany(found => found.Subscriptions ?? []).Where(found => account is null || found.Account == account)];

    internal static ConnectionInfo Connection(ulong id, params SubscriptionState[] subscriptions) => new()
    {
        Id = id,
        StartedAt = Start.AddSeconds(id),
        LastActivityAt = Start.AddSeconds(id + 10),
        Subscriptions = subscriptions,
        SubscriptionCount = subscriptions.Length,
    };

    private static ConnectionInfo Cut(ConnectionInfo connection, bool withSubscriptions) =>
        withSubscriptions ? connection : connection with { Subscriptions = null };
}
