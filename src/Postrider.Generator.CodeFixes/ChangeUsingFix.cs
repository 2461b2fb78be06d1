using System.Collections.Immutable;
using System.Composition;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PRM001: turns <c>using MediatR;</c> and its parts into the compatibility namespace.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ChangeUsingFix))]
[Shared]
public sealed class ChangeUsingFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["PRM001"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        if (root?.FindNode(context.Span).FirstAncestorOrSelf<UsingDirectiveSyntax>() is not { Name: { } name } directive)
            return;

        var changed = directive.WithName(SyntaxFactory.ParseName("Postrider.Compat.MediatR").WithTriviaFrom(name));
        context.RegisterCodeFix(
            CodeAction.Create(
                "Use Postrider.Compat.MediatR",
                _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(directive, changed))),
                nameof(ChangeUsingFix)),
            context.Diagnostics);
    }
}
