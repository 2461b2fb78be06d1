using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>One subscription on <c>/subsz</c>, <c>/connz</c> or <c>/routez</c>.</summary>
public sealed record SubscriptionDetail
{
    /// <summary>Account; only on <c>/subsz</c>.</summary>
    [JsonPropertyName("account")] public string? Account { get; init; }

    /// <summary>Name of the account; only on <c>/subsz</c>.</summary>
    [JsonPropertyName("account_tag")] public string? AccountTag { get; init; }

    /// <summary>Subject, wildcards included.</summary>
    [JsonPropertyName("subject")] public required string Subject { get; init; }

    /// <summary>Queue group; absent without one.</summary>
    [JsonPropertyName("qgroup")] public string? Queue { get; init; }

    /// <summary>The client's id of the subscription; for a route the arguments with which the other server subscribed.</summary>
    [JsonPropertyName("sid")] public required string Sid { get; init; }

    /// <summary>Messages delivered.</summary>
    [JsonPropertyName("msgs")] public required long Messages { get; init; }

    /// <summary>Messages after which it ends; absent without an end.</summary>
    [JsonPropertyName("max"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long Max { get; init; }

    /// <summary>The broker's id of the connection.</summary>
    [JsonPropertyName("cid")] public required ulong ConnectionId { get; init; }

    internal static SubscriptionDetail Of(SubscriptionState state, bool withAccount) => new()
    {
        Account = withAccount ? state.Account : null,
        AccountTag = withAccount ? state.AccountTag ?? state.Account : null,
        Subject = state.Subject,
        Queue = string.IsNullOrEmpty(state.Queue) ? null : state.Queue,
        Sid = state.Sid,
        Messages = state.Messages,
        Max = state.Max,
        ConnectionId = state.ConnectionId,
    };
}
