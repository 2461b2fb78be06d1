using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>How full blocks are kept.</summary>
[JsonConverter(typeof(StreamCompressionConverter))]
internal enum StreamCompression
{
    /// <summary>As they are.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>Compressed; the name is the protocol's, the codec the platform's.</summary>
    [JsonStringEnumMemberName("s2")] S2,
}
