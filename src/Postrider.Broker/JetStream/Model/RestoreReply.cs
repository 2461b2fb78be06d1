using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Where the archive's chunks are to be sent.</summary>
internal sealed class RestoreReply : ApiReply
{
    [JsonPropertyName("deliver_subject")] public string DeliverSubject { get; init; } = "";
}
