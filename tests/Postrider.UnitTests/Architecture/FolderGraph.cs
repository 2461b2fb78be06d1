using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>Which folders of one assembly name types of which other folders, as the compiler resolves the names.</summary>
/// <remarks>Folders, not namespaces: public types stand in their package's root namespace, whatever folder their file is in.</remarks>
internal sealed class FolderGraph
{
    private readonly Dictionary<(string From, string To), FolderEdge> _edges = [];

    private FolderGraph(CSharpCompilation compilation)
    {
        foreach (var tree in compilation.SyntaxTrees)
            Read(tree, compilation);
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

    /// <summary>The type that a name means, or whose member it means.</summary>
    internal static INamedTypeSymbol? Owner(SyntaxNode node, SemanticModel model)
    {
        var info = model.GetSymbolInfo(node);
        var symbol = info.Symbol ?? info.CandidateSymbols.FirstOrDefault();
        return symbol switch
        {
            IMethodSymbol { ReducedFrom: { } extension } => extension.ContainingType,
            INamedTypeSymbol { TypeKind: not TypeKind.Error } type => type,
            IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol => symbol.ContainingType,
            _ => null,
        };
    }

    private void Read(SyntaxTree tree, CSharpCompilation compilation)
    {
        var model = compilation.GetSemanticModel(tree);
        var root = tree.GetCompilationUnitRoot();
        if (!root.Members.OfType<BaseNamespaceDeclarationSyntax>().Any())
            return;

        var from = FolderOf(tree);

        // Using directives name namespaces, not types; a type that is used is named again where it is used.
        foreach (var node in root.DescendantNodes(node => node is not UsingDirectiveSyntax))
        {
            if (node is not (SimpleNameSyntax or BaseObjectCreationExpressionSyntax) || Owner(node, model) is not { } type)
                continue;

            if (!SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly))
                continue;

            // A type in several files belongs to the folder of the first.
            var to = FolderOf(type.DeclaringSyntaxReferences[0].SyntaxTree);
            if (to == from)
                continue;

            var line = tree.GetLineSpan(node.Span).StartLinePosition.Line + 1;
            _edges.TryAdd((from, to), new FolderEdge(from, to, $"{tree.FilePath}({line}): {type.Name}"));
        }
    }

    /// <summary>The folder of a file, from the root.</summary>
    internal static string FolderOf(SyntaxTree tree) => Path.GetDirectoryName(tree.FilePath)!.Replace('\\', '/');
}
