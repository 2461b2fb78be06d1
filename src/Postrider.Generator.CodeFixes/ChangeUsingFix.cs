using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PRM001: turns the namespace of MediatR, and what it has below it, into the compatibility namespace.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ChangeUsingFix))]
[Shared]
public sealed class ChangeUsingFix : CodeFixProvider
{
    private const string Compat = "Postrider.Compat.MediatR";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["PRM001"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        var name = root?.FindNode(context.Span, getInnermostNodeForTie: true);
        if (name is null)
            return;

        var changed = name.Parent is UsingDirectiveSyntax { Alias: null } directive && IsRepeated(directive)
            ? root.RemoveNode(directive, SyntaxRemoveOptions.KeepLeadingTrivia | SyntaxRemoveOptions.KeepUnbalancedDirectives)
            : root.ReplaceNode(name, Replacement(name).WithTriviaFrom(name));
        context.RegisterCodeFix(
            CodeAction.Create(
                "Use " + Compat, _ => Task.FromResult(context.Document.WithSyntaxRoot(changed)), nameof(ChangeUsingFix)),
            context.Diagnostics);
    }

    private static SyntaxNode Replacement(SyntaxNode name)
        => name.Parent is MemberAccessExpressionSyntax ? SyntaxFactory.ParseExpression(Compat) : SyntaxFactory.ParseName(Compat);

    // MediatR has parts of it in namespaces of their own: one directive stands for all of them.
    private static bool IsRepeated(UsingDirectiveSyntax directive)
    {
        var all = directive.Parent.ChildNodes().OfType<UsingDirectiveSyntax>().Where(u => u.Alias is null).ToList();
        return all.Any(u => u.Name?.ToString() == Compat)
            || all.First(u => u.Name?.ToString().Replace("global::", "") is "MediatR" or "MediatR.Pipeline" or "MediatR.NotificationPublishers") != directive;
    }
}
