using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

/// <summary>The reply of a service to <c>$SRV.STATS</c>. Source: NATS ADR-32.</summary>
public sealed record ServiceStatistics : ServicePing
{
    /// <summary>When it started or was last reset, UTC.</summary>
    [JsonPropertyName("started")] public DateTimeOffset Started { get; init; }

    /// <summary>Its endpoints.</summary>
    [JsonPropertyName("endpoints")] public IReadOnlyList<EndpointStatistics> Endpoints { get; init; } = [];
}
