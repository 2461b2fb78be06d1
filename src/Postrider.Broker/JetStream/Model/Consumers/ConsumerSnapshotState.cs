using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>The state of a consumer in an archive.</summary>
internal sealed record ConsumerSnapshotState
{
    [JsonPropertyName("delivered")] public SequencePair? Delivered { get; init; }

    [JsonPropertyName("ack_floor")] public SequencePair? AckFloor { get; init; }

    [JsonPropertyName("pending"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public Dictionary<ulong, PendingEntry>? Pending { get; init; }

    [JsonPropertyName("redelivered"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public Dictionary<ulong, ulong>? Redelivered { get; init; }
}
