using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Asks for a stream's archive.</summary>
internal sealed class SnapshotRequest
{
    /// <summary>Where the chunks go.</summary>
    [JsonPropertyName("deliver_subject")] public string DeliverSubject { get; set; } = "";

    /// <summary>Whether consumers are left out.</summary>
    [JsonPropertyName("no_consumers")] public bool NoConsumers { get; set; }

    /// <summary>Bytes of a chunk; 0 for the default.</summary>
    [JsonPropertyName("chunk_size")] public int ChunkBytes { get; set; }

    /// <summary>Bytes that may be on their way; 0 for the default.</summary>
    [JsonPropertyName("window_size")] public int WindowBytes { get; set; }

    /// <summary>Whether every message is checked, which reading it does anyway.</summary>
    [JsonPropertyName("jsck")] public bool ChecksMessages { get; set; }
}
