using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Says whether a consumer is paused.</summary>
internal sealed class ConsumerPauseReply : ApiReply
{
    /// <summary>Whether it is.</summary>
    [JsonPropertyName("paused")] public bool Paused { get; init; }

    /// <summary>Until when.</summary>
    [JsonPropertyName("pause_until")] public Moment PauseUntil { get; init; } = Moment.None;

    /// <summary>For how long.</summary>
    [JsonPropertyName("pause_remaining"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public Nanoseconds PauseRemaining { get; init; }
}
