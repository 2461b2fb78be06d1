using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A position, as a consumer sequence and a stream sequence.</summary>
public sealed record SequenceInfo
{
    /// <summary>The number of the delivery.</summary>
    [JsonPropertyName("consumer_seq")] public ulong ConsumerSequence { get; init; }

    /// <summary>The message's sequence.</summary>
    [JsonPropertyName("stream_seq")] public ulong StreamSequence { get; init; }

    /// <summary>The time of the last activity.</summary>
    public DateTimeOffset? LastActive { get; init; }
}
