namespace Postrider.Xml.Elements;

/// <summary>What a reader accepts from the other side.</summary>
/// <remarks>Immutable, so thread-safe. The size of the input is bounded by whoever received it; nothing that is read takes
/// more than a small multiple of it, since no entity is expanded.</remarks>
public sealed class XmlLimits
{
    /// <summary>The limits where none are given: depth 64.</summary>
    public static XmlLimits Default { get; } = new();

    /// <summary>How deep elements may be nested.</summary>
    public int MaxDepth { get; init; } = 64;
}
