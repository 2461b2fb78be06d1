using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How a stream's files are compressed.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamCompression>))]
public enum StreamCompression
{
    /// <summary>Not at all.</summary>
    [JsonStringEnumMemberName("none")] None,

    /// <summary>By S2, or what the server has in its place.</summary>
    [JsonStringEnumMemberName("s2")] S2,
}
