using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/healthz</c>.</summary>
public sealed record HealthzPage
{
    /// <summary><c>ok</c>, or <c>unavailable</c>.</summary>
    [JsonPropertyName("status")] public required string Status { get; init; }

    /// <summary>What is wrong; absent when nothing is.</summary>
    [JsonPropertyName("error")] public string? Error { get; init; }

    /// <summary>Whether the broker can serve.</summary>
    [JsonIgnore] public bool IsHealthy => Error is null;
}
