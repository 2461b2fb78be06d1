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

/// <summary>PR0006: makes a handler scoped.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ScopedLifetimeFix))]
[Shared]
public sealed class ScopedLifetimeFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["PR0006"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        var lifetime = root?.FindNode(context.Span).FirstAncestorOrSelf<TypeDeclarationSyntax>()?
            .AttributeLists.SelectMany(l => l.DescendantNodes().OfType<MemberAccessExpressionSyntax>())
            .FirstOrDefault(m => m.Name.Identifier.Text == "Singleton");
        if (lifetime is null)
            return;

        var scoped = lifetime.WithName(SyntaxFactory.IdentifierName("Scoped"));
        context.RegisterCodeFix(
            CodeAction.Create(
                "Make the handler scoped",
                _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(lifetime, scoped))),
                nameof(ScopedLifetimeFix)),
            context.Diagnostics);
    }
}
