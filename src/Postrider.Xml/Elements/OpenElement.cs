namespace Postrider.Xml.Elements;

/// <summary>An element whose content is being read: what <see cref="ElementReader.Enter"/> gives and <see cref="ElementReader.MoveToChild"/> takes.</summary>
public readonly struct OpenElement
{
    internal OpenElement(int nameAt, int nameBytes, int bindings, bool isEmpty) => (NameAt, NameBytes, Bindings, IsEmpty) = (nameAt, nameBytes, bindings, isEmpty);

    internal int NameAt { get; }

    internal int NameBytes { get; }

    /// <summary>How many namespaces were in scope around it.</summary>
    internal int Bindings { get; }

    internal bool IsEmpty { get; }
}
