using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How fast messages that are already stored are delivered.</summary>
[JsonConverter(typeof(EnumStringConverter<ReplayPolicy>))]
internal enum ReplayPolicy
{
    /// <summary>As fast as clients take them.</summary>
    [JsonStringEnumMemberName("instant")] Instant,

    /// <summary>At the intervals at which they were stored.</summary>
    [JsonStringEnumMemberName("original")] Original,
}
