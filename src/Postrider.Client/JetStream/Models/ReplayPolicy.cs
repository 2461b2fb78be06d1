using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How fast a consumer delivers what is stored.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ReplayPolicy>))]
public enum ReplayPolicy
{
    /// <summary>As fast as possible.</summary>
    [JsonStringEnumMemberName("instant")] Instant,

    /// <summary>With the pauses between the publishes.</summary>
    [JsonStringEnumMemberName("original")] Original,
}
