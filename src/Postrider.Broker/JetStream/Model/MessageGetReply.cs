using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>One message as JSON.</summary>
internal sealed class MessageGetReply : ApiReply
{
    [JsonPropertyName("message"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public StoredMessageInfo? Message { get; init; }
}
