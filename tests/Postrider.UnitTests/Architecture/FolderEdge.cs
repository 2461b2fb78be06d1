namespace Postrider.UnitTests.Architecture;

/// <summary>One folder names a type of another, of the same assembly.</summary>
/// <param name="From">The folder that names, from the root.</param>
/// <param name="To">The folder whose type is named, from the root.</param>
/// <param name="Example">The first place: <c>path(line): name</c>.</param>
internal sealed record FolderEdge(string From, string To, string Example)
{
    public override string ToString() => $"{From} -> {To}, e.g. {Example}";
}
