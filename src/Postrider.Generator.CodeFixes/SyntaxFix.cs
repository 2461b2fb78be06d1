using System.Collections.Immutable;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Postrider.Generator.CodeFixes;

/// <summary>A fix of one diagnostic that changes the syntax of one document.</summary>
/// <param name="diagnosticId">The diagnostic.</param>
public abstract class SyntaxFix(string diagnosticId) : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = [diagnosticId];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false) is { } root
            && CreateAction(context.Document, root, root.FindNode(context.Span, getInnermostNodeForTie: true)) is { } action)
            context.RegisterCodeFix(action, context.Diagnostics);
    }

    /// <summary>Creates the action, or returns null if there is nothing to change.</summary>
    /// <param name="document">The document.</param>
    /// <param name="root">Its root.</param>
    /// <param name="node">The innermost node of the diagnostic's location.</param>
    private protected abstract CodeAction? CreateAction(Document document, SyntaxNode root, SyntaxNode node);

    /// <summary>Creates an action that replaces the root of the document.</summary>
    private protected CodeAction Change(string title, Document document, SyntaxNode changed)
        => CodeAction.Create(title, _ => Task.FromResult(document.WithSyntaxRoot(changed)), GetType().Name);
}
