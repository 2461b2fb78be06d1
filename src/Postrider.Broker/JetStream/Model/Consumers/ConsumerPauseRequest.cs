using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Asks for a pause, or for its end.</summary>
internal sealed record ConsumerPauseRequest
{
    /// <summary>Until when; absent or the year 1 ends a pause.</summary>
    [JsonPropertyName("pause_until")] public Moment PauseUntil { get; init; } = Moment.None;
}
