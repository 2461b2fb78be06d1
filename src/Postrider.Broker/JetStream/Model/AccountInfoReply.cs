using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>An account's use of JetStream and its limits.</summary>
internal sealed class AccountInfoReply : ApiReply
{
    [JsonPropertyName("memory")] public long Memory { get; init; }

    [JsonPropertyName("storage")] public long Storage { get; init; }

    [JsonPropertyName("reserved_memory")] public long ReservedMemory { get; init; }

    [JsonPropertyName("reserved_storage")] public long ReservedStorage { get; init; }

    [JsonPropertyName("streams")] public int Streams { get; init; }

    [JsonPropertyName("consumers")] public int Consumers { get; init; }

    [JsonPropertyName("limits")] public AccountLimits Limits { get; init; } = new();

    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public string? Domain { get; init; }

    [JsonPropertyName("api")] public ApiStats Api { get; init; } = new();

    /// <summary>Use and limits by tier; absent when the account has no tiers. With tiers, <see cref="Limits"/> are zeros.</summary>
    [JsonPropertyName("tiers"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public IReadOnlyDictionary<string, AccountTier>? Tiers { get; init; }
}
