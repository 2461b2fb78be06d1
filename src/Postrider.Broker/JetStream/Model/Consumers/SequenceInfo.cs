using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A position, as a delivery's number and as a stream sequence.</summary>
internal sealed record SequenceInfo
{
    /// <summary>The delivery's number.</summary>
    [JsonPropertyName("consumer_seq")] public ulong Consumer { get; init; }

    /// <summary>The stream sequence.</summary>
    [JsonPropertyName("stream_seq")] public ulong Stream { get; init; }

    /// <summary>When it was reached.</summary>
    [JsonPropertyName("last_active"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public DateTimeOffset? LastActive { get; init; }
}
