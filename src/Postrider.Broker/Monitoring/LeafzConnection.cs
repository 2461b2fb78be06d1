using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>One connection of <c>/leafz</c>. Names and their order are nats-server's.</summary>
public sealed record LeafzConnection
{
    /// <summary>The broker's id of the connection.</summary>
    [JsonPropertyName("id")] public required ulong Id { get; init; }

    /// <summary>The other server's name.</summary>
    [JsonPropertyName("name")] public required string Name { get; init; }

    /// <summary>Whether this broker is the leaf node and the other server the hub.</summary>
    [JsonPropertyName("is_spoke")] public required bool IsSpoke { get; init; }

    /// <summary>Whether interest of other leaf nodes is kept from it.</summary>
    [JsonPropertyName("is_isolated"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool IsIsolated { get; init; }

    /// <summary>The account on this side.</summary>
    [JsonPropertyName("account")] public required string Account { get; init; }

    /// <summary>The other server's address.</summary>
    [JsonPropertyName("ip")] public required string RemoteAddress { get; init; }

    /// <summary>The other server's port.</summary>
    [JsonPropertyName("port")] public required int RemotePort { get; init; }

    /// <summary>Last time from PING to PONG.</summary>
    [JsonPropertyName("rtt")] public required string RoundTrip { get; init; }

    /// <summary>Messages received.</summary>
    [JsonPropertyName("in_msgs")] public required long InMessages { get; init; }

    /// <summary>Messages sent.</summary>
    [JsonPropertyName("out_msgs")] public required long OutMessages { get; init; }

    /// <summary>Header and payload bytes received.</summary>
    [JsonPropertyName("in_bytes")] public required long InBytes { get; init; }

    /// <summary>Header and payload bytes sent.</summary>
    [JsonPropertyName("out_bytes")] public required long OutBytes { get; init; }

    /// <summary>The number of the other server's subscriptions.</summary>
    [JsonPropertyName("subscriptions")] public required int SubscriptionCount { get; init; }

    /// <summary>Their subjects; absent unless requested.</summary>
    [JsonPropertyName("subscriptions_list")] public IReadOnlyList<string>? Subscriptions { get; init; }

    /// <summary>The compression, such as <c>off</c> or <c>s2_fast</c>.</summary>
    [JsonPropertyName("compression")] public required string Compression { get; init; }

    /// <summary>Whether the connection is a WebSocket.</summary>
    [JsonPropertyName("websocket"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool IsWebSocket { get; init; }

    /// <summary>The description of a connection.</summary>
    internal static LeafzConnection Of(LeafState leaf) => new()
    {
        Id = leaf.Id,
        Name = leaf.Name,
        IsSpoke = leaf.IsSpoke,
        IsIsolated = leaf.IsIsolated,
        Account = leaf.Account,
        RemoteAddress = leaf.RemoteAddress,
        RemotePort = leaf.RemotePort,
        RoundTrip = GoDuration.Format(leaf.RoundTrip),
        InMessages = leaf.InMessages,
        OutMessages = leaf.OutMessages,
        InBytes = leaf.InBytes,
        OutBytes = leaf.OutBytes,
        SubscriptionCount = leaf.SubscriptionCount,
        Subscriptions = leaf.Subscriptions,
        Compression = leaf.Compression,
        IsWebSocket = leaf.IsWebSocket,
    };
}
