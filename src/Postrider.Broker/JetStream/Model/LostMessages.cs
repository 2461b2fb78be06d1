using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Messages that damage on the disk cost.</summary>
internal sealed record LostMessages
{
    [JsonPropertyName("msgs")] public IReadOnlyList<ulong> Sequences { get; init; } = [];

    [JsonPropertyName("bytes")] public long Bytes { get; init; }
}
