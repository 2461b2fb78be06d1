using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The compression of full blocks.</summary>
[JsonConverter(typeof(StreamCompressionConverter))]
internal enum StreamCompression
{
    /// <summary>Not compressed.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>Compressed; the name is the protocol's, the codec is the platform's.</summary>
    [JsonStringEnumMemberName("s2")] S2,
}
