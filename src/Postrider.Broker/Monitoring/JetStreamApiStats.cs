using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>Statistics of the JetStream API.</summary>
public sealed record JetStreamApiStats
{
    /// <summary>The supported level of the API.</summary>
    [JsonPropertyName("level")] public required int Level { get; init; }

    /// <summary>Requests answered.</summary>
    [JsonPropertyName("total")] public required long Total { get; init; }

    /// <summary>Requests answered with an error.</summary>
    [JsonPropertyName("errors")] public required long Errors { get; init; }
}
