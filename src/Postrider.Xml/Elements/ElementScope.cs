namespace Postrider.Xml.Elements;

/// <summary>A writer's current namespace, to return to it later.</summary>
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
