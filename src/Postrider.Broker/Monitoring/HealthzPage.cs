using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/healthz</c>.</summary>
public sealed record HealthzPage
{
    /// <summary><c>ok</c>; <c>degraded</c> when everything is served and something was lost; or <c>unavailable</c>.</summary>
    [JsonPropertyName("status")] public required string Status { get; init; }

    /// <summary>What is wrong, or was lost; absent when the status is <c>ok</c>.</summary>
    [JsonPropertyName("error")] public string? Error { get; init; }

    /// <summary>Whether the broker can serve, with or without losses.</summary>
    [JsonIgnore] public bool IsHealthy => Status is "ok" or "degraded";
}
