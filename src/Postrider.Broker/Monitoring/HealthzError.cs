using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>A problem in the details of <c>/healthz</c>.</summary>
public sealed record HealthzError
{
    /// <summary><c>ACCOUNT</c>, <c>STREAM</c>, <c>CONSUMER</c>, or <c>BAD_REQUEST</c> for a query that contradicts itself.</summary>
    [JsonPropertyName("type")] public required string Type { get; init; }

    /// <summary>The account.</summary>
    [JsonPropertyName("account")] public string? Account { get; init; }

    /// <summary>The stream.</summary>
    [JsonPropertyName("stream")] public string? Stream { get; init; }

    /// <summary>The consumer.</summary>
    [JsonPropertyName("consumer")] public string? Consumer { get; init; }

    /// <summary>The problem.</summary>
    [JsonPropertyName("error")] public required string Error { get; init; }
}
