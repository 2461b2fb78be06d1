using System.Composition;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PRM001: replaces the namespace of MediatR, or one below it, by the compatibility namespace.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ChangeUsingFix))]
[Shared]
public sealed class ChangeUsingFix() : SyntaxFix("PRM001")
{
    private const string Compat = "Postrider.Compat.MediatR";

    private protected override CodeAction? CreateAction(Document document, SyntaxNode root, SyntaxNode node)
    {
        var changed = node.Parent is UsingDirectiveSyntax { Alias: null } directive && IsRepeated(directive)
            ? root.RemoveNode(directive, SyntaxRemoveOptions.KeepLeadingTrivia | SyntaxRemoveOptions.KeepUnbalancedDirectives)
            : root.ReplaceNode(node, Replacement(node).WithTriviaFrom(node));
        return changed is null ? null : Change("Use " + Compat, document, changed);
    }

    private static SyntaxNode Replacement(SyntaxNode name)
        => name.Parent is MemberAccessExpressionSyntax ? SyntaxFactory.ParseExpression(Compat) : SyntaxFactory.ParseName(Compat);

    // MediatR has several namespaces: one directive replaces all of them.
    private static bool IsRepeated(UsingDirectiveSyntax directive)
    {
        if (directive.Parent is not { } parent)
            return false;

        var all = parent.ChildNodes().OfType<UsingDirectiveSyntax>().Where(u => u.Alias is null).ToList();
        return all.Any(u => u.Name?.ToString() == Compat)
            || all.First(u => u.Name?.ToString().Replace("global::", "") is "MediatR" or "MediatR.Pipeline" or "MediatR.NotificationPublishers") != directive;
    }
}
