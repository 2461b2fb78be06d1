using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>How to access a stream in another domain or account.</summary>
public sealed record ExternalStream
{
    /// <summary>The prefix of its API, such as <c>$JS.hub.API</c>.</summary>
    [JsonPropertyName("api")] public required string ApiPrefix { get; set; }

    /// <summary>The prefix of the subjects on which it delivers.</summary>
    [JsonPropertyName("deliver")] public string? DeliverPrefix { get; set; }
}
