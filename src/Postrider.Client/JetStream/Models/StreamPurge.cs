using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Which messages are purged. All messages by default.</summary>
public sealed record StreamPurge
{
    /// <summary>Only these subjects.</summary>
    [JsonPropertyName("filter")] public string? Subject { get; init; }

    /// <summary>Only messages before this sequence.</summary>
    [JsonPropertyName("seq")] public ulong UpToSequence { get; init; }

    /// <summary>Number of newest messages to keep. Not together with <see cref="UpToSequence"/>.</summary>
    [JsonPropertyName("keep")] public ulong Keep { get; init; }
}
