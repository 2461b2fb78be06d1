using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request to create a stream from an archive.</summary>
internal sealed class RestoreRequest
{
    /// <summary>The stream's configuration.</summary>
    [JsonPropertyName("config")] public StreamConfig Config { get; set; } = new();

    /// <summary>The state of the stream in the archive.</summary>
    [JsonPropertyName("state")] public StreamState? State { get; set; }
}
