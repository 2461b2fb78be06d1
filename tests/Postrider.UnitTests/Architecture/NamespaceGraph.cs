using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>Which namespaces of one assembly name types of which others, as the compiler resolves the names.</summary>
internal sealed class NamespaceGraph
{
    private readonly Dictionary<(string From, string To), NamespaceEdge> _edges = [];

    private NamespaceGraph(CSharpCompilation compilation)
    {
        foreach (var tree in compilation.SyntaxTrees)
            Read(tree, compilation);
    }

    public IReadOnlyCollection<NamespaceEdge> Edges => _edges.Values;

    public static NamespaceGraph Of(CSharpCompilation compilation) => new(compilation);

    /// <summary>Every cycle's edges: the edges whose end leads back to their beginning.</summary>
    public IReadOnlyList<NamespaceEdge> BackReferences()
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

    private void Read(SyntaxTree tree, CSharpCompilation compilation)
    {
        var model = compilation.GetSemanticModel(tree);
        var root = tree.GetCompilationUnitRoot();
        if (root.Members.OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault()?.Name.ToString() is not { } from)
            return;

        // Using directives name namespaces, not types; a type that is used is named again where it is used.
        foreach (var node in root.DescendantNodes(node => node is not UsingDirectiveSyntax))
        {
            if (node is not (SimpleNameSyntax or BaseObjectCreationExpressionSyntax) || Owner(node, model) is not { } type)
                continue;

            var to = type.ContainingNamespace.ToDisplayString();
            if (to == from || !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly))
                continue;

            var line = tree.GetLineSpan(node.Span).StartLinePosition.Line + 1;
            _edges.TryAdd((from, to), new NamespaceEdge(from, to, $"{tree.FilePath}({line}): {type.Name}"));
        }
    }

    private static INamedTypeSymbol? Owner(SyntaxNode node, SemanticModel model)
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
}
