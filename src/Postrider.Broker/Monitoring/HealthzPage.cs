using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/healthz</c>.</summary>
public sealed record HealthzPage
{
    /// <summary><c>ok</c>; <c>degraded</c> if everything is served but something was lost; or <c>unavailable</c>.</summary>
    [JsonPropertyName("status")] public required string Status { get; init; }

    /// <summary>The problem or the loss; absent if the status is <c>ok</c>.</summary>
    [JsonPropertyName("error")] public string? Error { get; init; }

    /// <summary>Whether the broker can serve, with or without losses.</summary>
    [JsonIgnore] public bool IsHealthy => Status is "ok" or "degraded";
}
