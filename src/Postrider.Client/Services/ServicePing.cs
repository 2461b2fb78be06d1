using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

/// <summary>The reply of a service to <c>$SRV.PING</c>. Source: NATS ADR-32.</summary>
public record ServicePing
{
    /// <summary>The type of the reply.</summary>
    [JsonPropertyName("type")] public string Type { get; init; } = "io.nats.micro.v1.ping_response";

    /// <summary>The service's name.</summary>
    [JsonPropertyName("name")] public string Name { get; init; } = "";

    /// <summary>The instance's unique id.</summary>
    [JsonPropertyName("id")] public string Id { get; init; } = "";

    /// <summary>The service's version.</summary>
    [JsonPropertyName("version")] public string Version { get; init; } = "";

    /// <summary>Additional properties.</summary>
    [JsonPropertyName("metadata")] public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
