using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A position of a consumer in an archive: the number of a delivery and the message's sequence.</summary>
internal sealed record SequencePair
{
    [JsonPropertyName("consumer_seq")] public ulong Consumer { get; init; }

    [JsonPropertyName("stream_seq")] public ulong Stream { get; init; }
}
