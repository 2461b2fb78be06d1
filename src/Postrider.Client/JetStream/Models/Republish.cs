using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Republishes stored messages, with headers that contain their stream and sequence.</summary>
public sealed record Republish
{
    /// <summary>The subjects to republish; may contain wildcards.</summary>
    [JsonPropertyName("src")] public string? Source { get; set; }

    /// <summary>The destination subject.</summary>
    [JsonPropertyName("dest")] public required string Destination { get; set; }

    /// <summary>Whether only the headers are published.</summary>
    public bool HeadersOnly { get; set; }
}
