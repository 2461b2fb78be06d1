namespace Postrider.Xml.Elements;

/// <summary>An element whose content is being read: returned by <see cref="ElementReader.Enter"/> and passed to
/// <see cref="ElementReader.MoveToChild"/>.</summary>
public readonly struct OpenElement
{
    internal OpenElement(int nameAt, int nameBytes, int bindings, bool isEmpty) => (NameAt, NameBytes, Bindings, IsEmpty) = (nameAt, nameBytes, bindings, isEmpty);

    internal int NameAt { get; }

    internal int NameBytes { get; }

    /// <summary>How many namespaces were in scope around it.</summary>
    internal int Bindings { get; }

    internal bool IsEmpty { get; }
}
