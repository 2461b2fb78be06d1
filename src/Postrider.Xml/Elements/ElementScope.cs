namespace Postrider.Xml.Elements;

/// <summary>The namespace that a writer writes names of, to return to it.</summary>
public readonly ref struct ElementScope
{
    internal ElementScope(ReadOnlySpan<byte> space, byte prefix, bool isDeclared)
    {
        Namespace = space;
        Prefix = prefix;
        IsDeclared = isDeclared;
    }

    internal ReadOnlySpan<byte> Namespace { get; }

    internal byte Prefix { get; }

    internal bool IsDeclared { get; }
}
