using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How a stream's files are compressed.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamCompression>))]
public enum StreamCompression
{
    /// <summary>No compression.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>S2.</summary>
    [JsonStringEnumMemberName("s2")] S2,
}
