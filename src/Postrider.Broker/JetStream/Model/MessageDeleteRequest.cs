using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request to delete a message.</summary>
internal sealed class MessageDeleteRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("no_erase")] public bool NoErase { get; init; }
}
