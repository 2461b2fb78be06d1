using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The response to a publish that was not stored.</summary>
internal sealed class PubAckReply
{
    [JsonPropertyName("error"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public ApiError? Error { get; init; }

    [JsonPropertyName("stream")] public string Stream { get; init; } = "";

    [JsonPropertyName("seq")] public ulong Sequence { get; init; }
}
