using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How fast a consumer delivers stored messages.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ReplayPolicy>))]
public enum ReplayPolicy
{
    /// <summary>As fast as possible.</summary>
    [JsonStringEnumMemberName("instant")] Instant,

    /// <summary>At the rate at which they were published.</summary>
    [JsonStringEnumMemberName("original")] Original,
}
