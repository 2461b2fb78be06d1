using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>The response to a request to pause a consumer.</summary>
internal sealed class ConsumerPauseReply : ApiReply
{
    /// <summary>Whether it is paused.</summary>
    [JsonPropertyName("paused")] public bool Paused { get; init; }

    /// <summary>The end of the pause.</summary>
    [JsonPropertyName("pause_until")] public Moment PauseUntil { get; init; } = Moment.None;

    /// <summary>The remaining time of the pause.</summary>
    [JsonPropertyName("pause_remaining"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public Nanoseconds PauseRemaining { get; init; }
}
