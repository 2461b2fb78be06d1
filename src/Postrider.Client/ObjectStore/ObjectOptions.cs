using System.Text.Json.Serialization;

namespace Postrider.Client.ObjectStore;

/// <summary>Storage options of an object.</summary>
public sealed record ObjectOptions
{
    /// <summary>The target, if it is a link.</summary>
    public ObjectLink? Link { get; init; }

    /// <summary>The size of a chunk in bytes; the last chunk may be smaller.</summary>
    [JsonPropertyName("max_chunk_size")] public int MaxChunkBytes { get; init; }
}
