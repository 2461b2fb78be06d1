namespace Postrider.Client.ObjectStore;

/// <summary>What is said about an object.</summary>
public sealed record ObjectMeta
{
    /// <summary>128 KiB: what the other clients write.</summary>
    internal const int DefaultChunkBytes = 128 * 1024;

    /// <summary>Its name: any text.</summary>
    public required string Name { get; init; }

    /// <summary>What it is.</summary>
    public string? Description { get; init; }

    /// <summary>Headers, each with one or more values.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>>? Headers { get; init; }

    /// <summary>Names and values of the owner's own.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>The bytes of a chunk. Default 128 KiB; not more than a message may have.</summary>
    public int ChunkBytes { get; init; } = DefaultChunkBytes;
}
