using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A transformation of subjects.</summary>
public sealed record SubjectTransform
{
    /// <summary>The subjects, with wildcards.</summary>
    [JsonPropertyName("src")] public required string Source { get; set; }

    /// <summary>The destination, with <c>{{wildcard(1)}}</c> and other functions.</summary>
    [JsonPropertyName("dest")] public required string Destination { get; set; }
}
