using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A response that only reports success.</summary>
internal sealed class SuccessReply : ApiReply
{
    /// <summary>True on success; absent from an error.</summary>
    [JsonPropertyName("success"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Success { get; set; }
}
