using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PR0009: makes a message partial.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MakePartialFix))]
[Shared]
public sealed class MakePartialFix() : SyntaxFix("PR0009")
{
    private protected override CodeAction? CreateAction(Document document, SyntaxNode root, SyntaxNode node)
    {
        if (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } message)
            return null;

        var partial = SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithTrailingTrivia(SyntaxFactory.Space);
        return Change($"Make {message.Identifier.Text} partial", document, root.ReplaceNode(message, message.AddModifiers(partial)));
    }
}
