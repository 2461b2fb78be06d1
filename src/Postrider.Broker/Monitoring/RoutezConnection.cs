using System.Text.Json.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Monitoring;

/// <summary>One connection of <c>/routez</c>. Names and their order are nats-server's.</summary>
public sealed record RoutezConnection
{
    /// <summary>The broker's id of the connection.</summary>
    [JsonPropertyName("rid")] public required ulong Id { get; init; }

    /// <summary>The other server's id.</summary>
    [JsonPropertyName("remote_id")] public required string RemoteId { get; init; }

    /// <summary>The other server's name.</summary>
    [JsonPropertyName("remote_name")] public required string RemoteName { get; init; }

    /// <summary>Whether the broker opened the connection.</summary>
    [JsonPropertyName("did_solicit")] public required bool DidSolicit { get; init; }

    /// <summary>Whether it is to a configured address.</summary>
    [JsonPropertyName("is_configured")] public required bool IsConfigured { get; init; }

    /// <summary>The other server's address.</summary>
    [JsonPropertyName("ip")] public required string RemoteAddress { get; init; }

    /// <summary>The other server's port.</summary>
    [JsonPropertyName("port")] public required int RemotePort { get; init; }

    /// <summary>When the connection was established.</summary>
    [JsonPropertyName("start")] public required DateTime Start { get; init; }

    /// <summary>When something was last received.</summary>
    [JsonPropertyName("last_activity")] public required DateTime LastActivity { get; init; }

    /// <summary>Last time from PING to PONG.</summary>
    [JsonPropertyName("rtt")] public required string RoundTrip { get; init; }

    /// <summary>Time since the start, as <c>1d2h3m4s</c>.</summary>
    [JsonPropertyName("uptime")] public required string Uptime { get; init; }

    /// <summary>Time since something was last received.</summary>
    [JsonPropertyName("idle")] public required string Idle { get; init; }

    /// <summary>The interest that the other server shares, as it announced; absent for everything.</summary>
    [JsonPropertyName("import"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Import { get; init; }

    /// <summary>The interest that the other server accepts, as it announced; absent for everything.</summary>
    [JsonPropertyName("export"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Export { get; init; }

    /// <summary>Bytes waiting to be sent.</summary>
    [JsonPropertyName("pending_size")] public required long PendingBytes { get; init; }

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
    [JsonPropertyName("subscriptions_list"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<string>? Subscriptions { get; init; }

    /// <summary>The subscriptions in detail; absent unless requested.</summary>
    [JsonPropertyName("subscriptions_list_detail"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyList<SubscriptionDetail>? SubscriptionDetails { get; init; }

    /// <summary>The only account of the connection; absent for one of the pool.</summary>
    [JsonPropertyName("account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Account { get; init; }

    /// <summary>The compression, such as <c>off</c> or <c>s2_fast</c>.</summary>
    [JsonPropertyName("compression")] public required string Compression { get; init; }

    /// <summary>The description of a connection.</summary>
    internal static RoutezConnection Of(RouteState route, DateTimeOffset now, bool inDetail) => new()
    {
        Id = route.Id,
        RemoteId = route.RemoteId,
        RemoteName = route.RemoteName,
        DidSolicit = route.DidSolicit,
        IsConfigured = route.IsConfigured,
        RemoteAddress = route.RemoteAddress,
        RemotePort = route.RemotePort,
        Start = route.StartedAt.UtcDateTime,
        LastActivity = route.LastActivity.UtcDateTime,
        RoundTrip = GoDuration.Format(route.RoundTrip),
        Uptime = UptimeText.Format(now - route.StartedAt),
        Idle = UptimeText.Format(now - route.LastActivity),
        Import = route.Import,
        Export = route.Export,
        PendingBytes = route.PendingBytes,
        InMessages = route.InMessages,
        OutMessages = route.OutMessages,
        InBytes = route.InBytes,
        OutBytes = route.OutBytes,
        SubscriptionCount = route.SubscriptionCount,
        Subscriptions = !inDetail && route.Subscriptions is { Count: > 0 } listed ? [.. listed.Select(static one => one.Subject)] : null,
        SubscriptionDetails = inDetail && route.Subscriptions is { Count: > 0 } detailed ? [.. detailed.Select(static one => SubscriptionDetail.Of(one, withAccount: false))] : null,
        Compression = route.Compression,
        Account = route.Account.Length == 0 ? null : route.Account,
    };
}
