using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The response to a purge.</summary>
internal sealed class PurgeReply : ApiReply
{
    [JsonPropertyName("success"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Success { get; set; }

    [JsonPropertyName("purged")] public long Purged { get; set; }
}
