namespace Postrider.Xml.Elements;

/// <summary>Limits on what a reader accepts.</summary>
/// <remarks>Immutable, so thread-safe. The receiver bounds the size of the input; no value takes more than a small multiple of it, since
/// no entity is expanded.</remarks>
public sealed class XmlLimits
{
    /// <summary>The default limits: depth 64.</summary>
    public static XmlLimits Default { get; } = new();

    /// <summary>Maximum nesting depth of elements.</summary>
    public int MaxDepth { get; init; } = 64;
}
