using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

/// <summary>The description of an endpoint.</summary>
public sealed record EndpointInfo
{
    /// <summary>The name.</summary>
    [JsonPropertyName("name")] public string Name { get; init; } = "";

    /// <summary>The subject it listens on.</summary>
    [JsonPropertyName("subject")] public string Subject { get; init; } = "";

    /// <summary>The queue group; empty for none.</summary>
    [JsonPropertyName("queue_group")] public string QueueGroup { get; init; } = "";

    /// <summary>Additional properties.</summary>
    [JsonPropertyName("metadata")] public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
