using System.Text.Json.Serialization;

namespace Postrider.Broker.Consumers;

/// <summary>Asks for a pause, or for its end.</summary>
internal sealed record ConsumerPauseRequest
{
    /// <summary>Until when; absent or the year 1 ends a pause.</summary>
    [JsonPropertyName("pause_until")] public DateTimeOffset PauseUntil { get; init; }
}
