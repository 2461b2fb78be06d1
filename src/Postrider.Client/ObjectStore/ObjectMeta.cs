namespace Postrider.Client.ObjectStore;

/// <summary>The metadata of an object.</summary>
public sealed record ObjectMeta
{
    /// <summary>128 KiB: the size used by other clients.</summary>
    internal const int DefaultChunkBytes = 128 * 1024;

    /// <summary>The name: any text.</summary>
    public required string Name { get; init; }

    /// <summary>A description.</summary>
    public string? Description { get; init; }

    /// <summary>Headers, each with one or more values.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>>? Headers { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>The chunk size in bytes. Default 128 KiB; at most the maximum payload of a message.</summary>
    public int ChunkBytes { get; init; } = DefaultChunkBytes;
}
