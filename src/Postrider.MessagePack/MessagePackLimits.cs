namespace Postrider.MessagePack;

/// <summary>Limits on what a reader accepts.</summary>
/// <remarks>Lengths are checked against the available bytes first, so that these limits matter only for large inputs.
/// Immutable, so thread-safe.</remarks>
public sealed class MessagePackLimits
{
    /// <summary>The default limits: depth 64, lengths of 2 GiB, which the input's size bounds.</summary>
    public static MessagePackLimits Default { get; } = new();

    /// <summary>Maximum nesting depth of objects, arrays and maps; it also ends a cycle of objects that are written.</summary>
    public int MaxDepth { get; init; } = 64;

    /// <summary>Maximum length of a string, binary or extension, in bytes.</summary>
    public int MaxBytes { get; init; } = int.MaxValue;

    /// <summary>Maximum number of items of an array, or pairs of a map.</summary>
    public int MaxItems { get; init; } = int.MaxValue;
}
