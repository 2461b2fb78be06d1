using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>Messages that damage on the disk cost.</summary>
internal sealed record LostMessages
{
    [JsonPropertyName("msgs")] public IReadOnlyList<ulong> Sequences { get; init; } = [];

    [JsonPropertyName("bytes")] public long Bytes { get; init; }
}
