using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Asks a consumer to begin again.</summary>
internal sealed record ConsumerResetRequest
{
    /// <summary>At which sequence; 0 = behind what is acknowledged.</summary>
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }
}
