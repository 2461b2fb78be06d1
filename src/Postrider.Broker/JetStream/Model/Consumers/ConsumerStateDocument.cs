using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How far a consumer in an archive came.</summary>
internal sealed record ConsumerStateDocument
{
    [JsonPropertyName("delivered")] public ConsumerPlace? Delivered { get; init; }

    [JsonPropertyName("ack_floor")] public ConsumerPlace? AckFloor { get; init; }

    [JsonPropertyName("pending"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public Dictionary<ulong, OpenDelivery>? Pending { get; init; }

    [JsonPropertyName("redelivered"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public Dictionary<ulong, ulong>? Redelivered { get; init; }
}
