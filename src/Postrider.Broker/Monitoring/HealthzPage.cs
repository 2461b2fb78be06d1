using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/healthz</c>.</summary>
public sealed record HealthzPage
{
    /// <summary><c>ok</c>; <c>degraded</c> if everything is served but something was lost; <c>unavailable</c>; or <c>error</c> with <see cref="Errors"/>, or
    /// for a query that contradicts itself.</summary>
    [JsonPropertyName("status")] public required string Status { get; init; }

    /// <summary>The problem or the loss; absent if the status is <c>ok</c>.</summary>
    [JsonPropertyName("error")] public string? Error { get; init; }

    /// <summary>The problems, if the query asks for details; absent if there are none.</summary>
    [JsonPropertyName("errors")] public IReadOnlyList<HealthzError>? Errors { get; init; }

    /// <summary>The status of the HTTP response: 200, 400 for a query that contradicts itself, 404 if what it names does not exist, or 503.</summary>
    [JsonIgnore] public int StatusCode { get; init; } = 200;

    /// <summary>Whether the broker can serve, with or without losses.</summary>
    [JsonIgnore] public bool IsHealthy => Status is "ok" or "degraded";
}
