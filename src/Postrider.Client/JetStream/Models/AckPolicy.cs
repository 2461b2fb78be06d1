using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How the messages of a consumer are acknowledged.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<AckPolicy>))]
public enum AckPolicy
{
    /// <summary>Each message must be acknowledged.</summary>
    [JsonStringEnumMemberName("explicit")] Explicit,

    /// <summary>No acknowledgements: a delivered message counts as processed.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>An acknowledgement also covers all earlier messages.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>Replies to flow control count as acknowledgements.</summary>
    [JsonStringEnumMemberName("flow_control")] FlowControl,
}
