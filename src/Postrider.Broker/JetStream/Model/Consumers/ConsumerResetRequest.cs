using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A request to reset a consumer.</summary>
internal sealed record ConsumerResetRequest
{
    /// <summary>The sequence to restart at; 0 = after the acknowledged messages.</summary>
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }
}
