namespace Postrider.MessagePack;

/// <summary>What a reader accepts from the other side.</summary>
/// <remarks>Lengths are first held against the bytes that are there, so that these limits matter for large inputs only.
/// Immutable, so thread-safe.</remarks>
public sealed class MessagePackLimits
{
    /// <summary>The limits where none are given: depth 64, lengths of 2 GiB, which the input's own size bounds.</summary>
    public static MessagePackLimits Default { get; } = new();

    /// <summary>How deep objects, arrays and maps may be nested; also where a cycle of objects being written ends.</summary>
    public int MaxDepth { get; init; } = 64;

    /// <summary>The longest string, binary or extension, in bytes.</summary>
    public int MaxBytes { get; init; } = int.MaxValue;

    /// <summary>The most items of an array, or pairs of a map.</summary>
    public int MaxItems { get; init; } = int.MaxValue;
}
