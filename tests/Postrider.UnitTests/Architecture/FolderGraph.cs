using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>Which folders of one assembly name types of which other folders, as the compiler resolves the names.</summary>
/// <remarks>Folders, not namespaces: public types stand in their package's root namespace, whatever folder their file is in.</remarks>
internal sealed class FolderGraph
{
    private readonly Dictionary<(string From, string To), FolderEdge> _edges = [];

    private FolderGraph(CSharpCompilation compilation)
    {
        foreach (var named in NamedTypes.Of(compilation).All)
        {
            var from = FolderOf(named.Name.SyntaxTree);
            // A type in several files belongs to the folder of the first.
            var to = FolderOf(named.Type.DeclaringSyntaxReferences[0].SyntaxTree);
            if (to != from && named.In is not null)
                _edges.TryAdd((from, to), new FolderEdge(from, to, NamedTypes.Place(named.Name, named.Type.Name)));
        }
    }

    public IReadOnlyCollection<FolderEdge> Edges => _edges.Values;

    public static FolderGraph Of(CSharpCompilation compilation) => new(compilation);

    /// <summary>Every cycle's edges: the edges whose end leads back to their beginning.</summary>
    public IReadOnlyList<FolderEdge> BackReferences()
    {
        var ways = _edges.Keys.ToLookup(edge => edge.From, edge => edge.To);
        return [.. Edges.Where(edge => Reaches(edge.To, edge.From)).OrderBy(edge => edge.From, StringComparer.Ordinal)];

        bool Reaches(string start, string end)
        {
            var seen = new HashSet<string> { start };
            var open = new Stack<string>(seen);
            while (open.TryPop(out var name))
            {
                if (name == end)
                    return true;

                foreach (var next in ways[name].Where(seen.Add))
                    open.Push(next);
            }

            return false;
        }
    }

    /// <summary>The folder of a file, from the root.</summary>
    internal static string FolderOf(SyntaxTree tree) => Path.GetDirectoryName(tree.FilePath)!.Replace('\\', '/');
}
