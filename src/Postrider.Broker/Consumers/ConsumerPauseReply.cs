using System.Text.Json.Serialization;
using Postrider.Broker.Streams;

namespace Postrider.Broker.Consumers;

/// <summary>Says whether a consumer is paused.</summary>
internal sealed class ConsumerPauseReply : ApiReply
{
    /// <summary>Whether it is.</summary>
    [JsonPropertyName("paused")] public bool Paused { get; init; }

    /// <summary>Until when.</summary>
    [JsonPropertyName("pause_until")] public DateTimeOffset PauseUntil { get; init; }

    /// <summary>For how long.</summary>
    [JsonPropertyName("pause_remaining"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public TimeSpan PauseRemaining { get; init; }
}
