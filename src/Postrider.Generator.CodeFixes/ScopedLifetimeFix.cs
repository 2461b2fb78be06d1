using System.Composition;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PR0006: makes a handler scoped.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ScopedLifetimeFix))]
[Shared]
public sealed class ScopedLifetimeFix() : SyntaxFix("PR0006")
{
    private protected override CodeAction? CreateAction(Document document, SyntaxNode root, SyntaxNode node)
    {
        var lifetime = node.FirstAncestorOrSelf<TypeDeclarationSyntax>()?
            .AttributeLists.SelectMany(l => l.DescendantNodes().OfType<MemberAccessExpressionSyntax>())
            .FirstOrDefault(m => m.Name.Identifier.Text == "Singleton");
        return lifetime is null
            ? null
            : Change("Make the handler scoped", document, root.ReplaceNode(lifetime, lifetime.WithName(SyntaxFactory.IdentifierName("Scoped"))));
    }
}
