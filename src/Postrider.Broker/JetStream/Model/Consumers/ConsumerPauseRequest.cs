using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A request to pause a consumer, or to end the pause.</summary>
internal sealed record ConsumerPauseRequest
{
    /// <summary>The end of the pause; absent or the year 1 ends a pause now.</summary>
    [JsonPropertyName("pause_until")] public Moment PauseUntil { get; init; } = Moment.None;
}
