using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>The names in a compilation's sources that mean a type of the same assembly, or a member of one, as the compiler resolves them.</summary>
/// <remarks>Resolving takes longer than anything that is done with the result: it is kept with the compilation. Using directives are left
/// out: they name namespaces, and a type that is used is named again where it is used.</remarks>
internal sealed class NamedTypes
{
    private static readonly ConditionalWeakTable<CSharpCompilation, Lazy<NamedTypes>> Known = [];

    private readonly List<NamedType> _all = [];
    private readonly List<string> _unresolved = [];
    private readonly List<INamedTypeSymbol> _declared = [];

    private NamedTypes(CSharpCompilation compilation)
    {
        foreach (var tree in compilation.SyntaxTrees)
        {
            var model = compilation.GetSemanticModel(tree);
            foreach (var member in Members(tree.GetCompilationUnitRoot()))
                Read(member, model);
        }
    }

    /// <summary>The names, file by file.</summary>
    public IReadOnlyList<NamedType> All => _all;

    /// <summary>The types that the sources declare outside of other types.</summary>
    public IReadOnlyList<INamedTypeSymbol> Declared => _declared;

    /// <summary>The names of types that mean none, each with its place.</summary>
    public IReadOnlyList<string> Unresolved => _unresolved;

    public static NamedTypes Of(CSharpCompilation compilation) => Known.GetValue(compilation, static key => new(() => new(key))).Value;

    /// <summary>A place for a message: <c>path(line): name</c>.</summary>
    internal static string Place(SyntaxNode node, string name)
        => $"{node.SyntaxTree.FilePath}({node.SyntaxTree.GetLineSpan(node.Span).StartLinePosition.Line + 1}): {name}";

    private static IEnumerable<SyntaxNode> Members(SyntaxNode around)
        => around.ChildNodes().Where(static node => node is not UsingDirectiveSyntax)
            .SelectMany(static node => node is BaseNamespaceDeclarationSyntax space ? Members(space).Where(inner => inner != space.Name) : [node]);

    private void Read(SyntaxNode member, SemanticModel model)
    {
        var declared = member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax ? model.GetDeclaredSymbol(member) as INamedTypeSymbol : null;
        if (declared is not null)
            _declared.Add(declared);

        foreach (var node in member.DescendantNodesAndSelf().Where(static node => node is SimpleNameSyntax or BaseObjectCreationExpressionSyntax))
        {
            var info = model.GetSymbolInfo(node);
            var symbol = info.Symbol ?? info.CandidateSymbols.FirstOrDefault();
            if (Owner(symbol) is { } type)
            {
                if (SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, model.Compilation.Assembly))
                    _all.Add(new(node, declared, type));
            }
            else if (symbol is null or IErrorTypeSymbol && node is SimpleNameSyntax { Identifier.Text: not ("var" or "notnull" or "unmanaged") } name && SyntaxFacts.IsInTypeOnlyContext(name))
            {
                _unresolved.Add(Place(name, name.Identifier.Text));
            }
        }
    }

    // The type that a name means, or whose member it means.
    private static INamedTypeSymbol? Owner(ISymbol? symbol) => symbol switch
    {
        IMethodSymbol { ReducedFrom: { } extension } => extension.ContainingType,
        INamedTypeSymbol { TypeKind: not TypeKind.Error } type => type,
        IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol => symbol.ContainingType,
        _ => null,
    };
}
