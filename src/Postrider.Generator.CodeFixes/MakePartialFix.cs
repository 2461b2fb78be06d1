using System.Collections.Immutable;
using System.Composition;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PR0009: makes a message partial.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MakePartialFix))]
[Shared]
public sealed class MakePartialFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["PR0009"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        var message = root?.FindNode(context.Span).FirstAncestorOrSelf<TypeDeclarationSyntax>();
        if (message is null)
            return;

        var partial = SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithTrailingTrivia(SyntaxFactory.Space);
        context.RegisterCodeFix(
            CodeAction.Create(
                $"Make {message.Identifier.Text} partial",
                _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(message, message.AddModifiers(partial)))),
                nameof(MakePartialFix)),
            context.Diagnostics);
    }
}
