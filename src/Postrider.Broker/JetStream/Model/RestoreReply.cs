using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The response to a restore request: where to send the archive's chunks.</summary>
internal sealed class RestoreReply : ApiReply
{
    [JsonPropertyName("deliver_subject")] public string DeliverSubject { get; init; } = "";
}
