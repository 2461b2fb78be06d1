using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request for a stream's archive.</summary>
internal sealed class SnapshotRequest
{
    /// <summary>The subject to send the chunks to.</summary>
    [JsonPropertyName("deliver_subject")] public string DeliverSubject { get; set; } = "";

    /// <summary>Whether consumers are left out.</summary>
    [JsonPropertyName("no_consumers")] public bool NoConsumers { get; set; }

    /// <summary>Size of a chunk in bytes; 0 for the default.</summary>
    [JsonPropertyName("chunk_size")] public int ChunkBytes { get; set; }

    /// <summary>Maximum number of unacknowledged bytes; 0 for the default.</summary>
    [JsonPropertyName("window_size")] public int WindowBytes { get; set; }

    /// <summary>Whether every message is checked; reading does this in any case.</summary>
    [JsonPropertyName("jsck")] public bool ChecksMessages { get; set; }
}
