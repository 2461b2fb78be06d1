using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The defaults and limits that a stream sets for its consumers.</summary>
internal sealed record ConsumerLimits
{
    [JsonPropertyName("inactive_threshold"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public Nanoseconds InactiveThreshold { get; init; }

    [JsonPropertyName("max_ack_pending"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int MaxAckPending { get; init; }
}
