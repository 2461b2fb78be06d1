using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>What every answer of the API begins with.</summary>
internal class ApiReply
{
    /// <summary>The answer's kind.</summary>
    [JsonPropertyName("type"), JsonPropertyOrder(-20)] public string Type { get; set; } = "";

    /// <summary>What went wrong; absent when nothing did.</summary>
    [JsonPropertyName("error"), JsonPropertyOrder(-19), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public ApiError? Error { get; set; }
}
