using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Which message to delete.</summary>
internal sealed class MessageDeleteRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("no_erase")] public bool NoErase { get; init; }
}
