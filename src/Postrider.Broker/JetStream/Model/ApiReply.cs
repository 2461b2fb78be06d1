using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The members that every response of the API begins with.</summary>
internal class ApiReply
{
    /// <summary>The response's type.</summary>
    [JsonPropertyName("type"), JsonPropertyOrder(-20)] public string Type { get; set; } = "";

    /// <summary>The error; absent on success.</summary>
    [JsonPropertyName("error"), JsonPropertyOrder(-19), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public ApiError? Error { get; set; }
}
