using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Messages that were lost to damage on the disk.</summary>
internal sealed record LostMessages
{
    [JsonPropertyName("msgs")] public IReadOnlyList<ulong> Sequences { get; init; } = [];

    [JsonPropertyName("bytes")] public long Bytes { get; init; }
}
