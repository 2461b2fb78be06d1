using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A place in a stream, as a consumer counts and as the stream does.</summary>
public sealed record SequenceInfo
{
    /// <summary>The number of the delivery.</summary>
    [JsonPropertyName("consumer_seq")] public ulong ConsumerSequence { get; init; }

    /// <summary>The message's sequence.</summary>
    [JsonPropertyName("stream_seq")] public ulong StreamSequence { get; init; }

    /// <summary>When it was reached.</summary>
    public DateTimeOffset? LastActive { get; init; }
}
