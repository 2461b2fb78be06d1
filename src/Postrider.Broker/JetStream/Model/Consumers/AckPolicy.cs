using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How a consumer's deliveries are acknowledged.</summary>
[JsonConverter(typeof(EnumStringConverter<AckPolicy>))]
internal enum AckPolicy
{
    /// <summary>Deliveries are not acknowledged.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>An acknowledgement covers all deliveries before it.</summary>
    [JsonStringEnumMemberName("all")] All,

    /// <summary>Each delivery is acknowledged individually.</summary>
    [JsonStringEnumMemberName("explicit")] Explicit,

    /// <summary>Like <see cref="All"/>, by the responses to flow control.</summary>
    [JsonStringEnumMemberName("flow_control")] FlowControl,
}
