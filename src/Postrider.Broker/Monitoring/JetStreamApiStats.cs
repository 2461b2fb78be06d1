using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>How much the JetStream API was used.</summary>
public sealed record JetStreamApiStats
{
    /// <summary>The level of the API that is served.</summary>
    [JsonPropertyName("level")] public required int Level { get; init; }

    /// <summary>Requests answered.</summary>
    [JsonPropertyName("total")] public required long Total { get; init; }

    /// <summary>Requests answered with an error.</summary>
    [JsonPropertyName("errors")] public required long Errors { get; init; }
}
