using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A message as the API shows it; bytes are base64.</summary>
internal sealed record StoredMessageInfo
{
    [JsonPropertyName("subject")] public string Subject { get; init; } = "";

    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("hdrs"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public byte[]? Headers { get; init; }

    [JsonPropertyName("data"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public byte[]? Data { get; init; }

    [JsonPropertyName("time")] public string Time { get; init; } = "";
}
