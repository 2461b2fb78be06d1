using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Asks for a stream to be made of an archive.</summary>
internal sealed class RestoreRequest
{
    /// <summary>What the stream is to be.</summary>
    [JsonPropertyName("config")] public StreamConfig Config { get; set; } = new();

    /// <summary>What the archive holds.</summary>
    [JsonPropertyName("state")] public StreamState? State { get; set; }
}
