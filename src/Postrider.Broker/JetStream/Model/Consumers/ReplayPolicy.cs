using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>How fast what is stored already is given.</summary>
[JsonConverter(typeof(EnumStringConverter<ReplayPolicy>))]
internal enum ReplayPolicy
{
    /// <summary>As fast as it is taken.</summary>
    [JsonStringEnumMemberName("instant")] Instant,

    /// <summary>In the rhythm in which it was stored.</summary>
    [JsonStringEnumMemberName("original")] Original,
}
