using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How a consumer's deliveries are acknowledged.</summary>
[JsonConverter(typeof(EnumStringConverter<AckPolicy>))]
internal enum AckPolicy
{
    /// <summary>Not at all.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>An acknowledgement covers everything before it.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>Each on its own.</summary>
    [JsonStringEnumMemberName("explicit")] Explicit,

    /// <summary>Like <see cref="All"/>, by the answers to flow control.</summary>
    [JsonStringEnumMemberName("flow_control")] FlowControl,
}
