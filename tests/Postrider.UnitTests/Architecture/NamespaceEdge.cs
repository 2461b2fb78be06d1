namespace Postrider.UnitTests.Architecture;

/// <summary>One namespace names a type of another, of the same assembly.</summary>
/// <param name="From">The namespace that names.</param>
/// <param name="To">The namespace whose type is named.</param>
/// <param name="Example">The first place: <c>path(line): name</c>.</param>
internal sealed record NamespaceEdge(string From, string To, string Example)
{
    public override string ToString() => $"{From} -> {To}, e.g. {Example}";
}
