namespace Postrider.Xml.Elements;

/// <summary>A name known at compile time: a type argument instead of two strings.</summary>
public interface IXmlName
{
    /// <summary>The local name in UTF-8.</summary>
    static abstract ReadOnlySpan<byte> Name { get; }

    /// <summary>The namespace in UTF-8; empty for none.</summary>
    static abstract ReadOnlySpan<byte> Namespace { get; }
}
