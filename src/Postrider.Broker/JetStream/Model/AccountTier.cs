using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The use and the limits of one tier of an account.</summary>
internal sealed record AccountTier
{
    [JsonPropertyName("memory")] public long Memory { get; init; }

    [JsonPropertyName("storage")] public long Storage { get; init; }

    [JsonPropertyName("reserved_memory")] public long ReservedMemory { get; init; }

    [JsonPropertyName("reserved_storage")] public long ReservedStorage { get; init; }

    [JsonPropertyName("streams")] public int Streams { get; init; }

    [JsonPropertyName("consumers")] public int Consumers { get; init; }

    [JsonPropertyName("limits")] public AccountLimits Limits { get; init; } = new();
}
