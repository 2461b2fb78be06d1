using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

/// <summary>The reply of a service to <c>$SRV.INFO</c>. Source: NATS ADR-32.</summary>
public sealed record ServiceInfo : ServicePing
{
    /// <summary>The description.</summary>
    [JsonPropertyName("description")] public string Description { get; init; } = "";

    /// <summary>Its endpoints.</summary>
    [JsonPropertyName("endpoints")] public IReadOnlyList<EndpointInfo> Endpoints { get; init; } = [];
}
