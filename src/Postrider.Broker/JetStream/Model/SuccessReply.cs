using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>An answer that says no more than that it was done.</summary>
internal sealed class SuccessReply : ApiReply
{
    /// <summary>True; absent from an error.</summary>
    [JsonPropertyName("success"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Success { get; set; }
}
