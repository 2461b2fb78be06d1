using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>What consumers of a stream get when they ask for nothing else.</summary>
internal sealed record ConsumerLimits
{
    [JsonPropertyName("inactive_threshold"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public Nanoseconds InactiveThreshold { get; init; }

    [JsonPropertyName("max_ack_pending"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int MaxAckPending { get; init; }
}
