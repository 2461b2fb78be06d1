using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Messages that a stream lost because of damage.</summary>
public sealed record LostMessages
{
    /// <summary>The sequences.</summary>
    [JsonPropertyName("msgs")] public IReadOnlyList<ulong>? Sequences { get; init; }

    /// <summary>Their bytes.</summary>
    public ulong Bytes { get; init; }
}
