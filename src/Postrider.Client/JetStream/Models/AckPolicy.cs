using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a consumer expects for its messages.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<AckPolicy>))]
public enum AckPolicy
{
    /// <summary>An acknowledgement of each.</summary>
    [JsonStringEnumMemberName("explicit")] Explicit,

    /// <summary>Nothing: delivered is done.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>An acknowledgement counts for every earlier message too.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>The answers to flow control count as acknowledgements.</summary>
    [JsonStringEnumMemberName("flow_control")] FlowControl,
}
