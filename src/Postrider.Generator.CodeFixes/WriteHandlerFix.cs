using System.Composition;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generator.CodeFixes;

/// <summary>PR0001: writes a handler below the message.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(WriteHandlerFix))]
[Shared]
public sealed class WriteHandlerFix() : SyntaxFix("PR0001")
{
    private protected override CodeAction? CreateAction(Document document, SyntaxNode root, SyntaxNode node)
        => node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is { } message
            ? CodeAction.Create($"Write a handler for {message.Identifier.Text}", ct => WriteAsync(document, message, ct), nameof(WriteHandlerFix))
            : null;

    private static async Task<Document> WriteAsync(Document document, TypeDeclarationSyntax message, CancellationToken ct)
    {
        var semantics = await document.GetSemanticModelAsync(ct).ConfigureAwait(false);
        var root = await document.GetSyntaxRootAsync(ct).ConfigureAwait(false);
        if (semantics?.GetDeclaredSymbol(message, ct) is not INamedTypeSymbol type || root is null)
            return document;

        var handler = SyntaxFactory.ParseMemberDeclaration(Text(type, message.SpanStart, semantics));
        if (handler is null)
            return document;
        handler = handler.WithLeadingTrivia(SyntaxFactory.ElasticCarriageReturnLineFeed, SyntaxFactory.ElasticCarriageReturnLineFeed);
        return document.WithSyntaxRoot(root.InsertNodesAfter(message, [handler]));
    }

    private static string Text(INamedTypeSymbol type, int position, SemanticModel semantics)
    {
        var name = type.Name;
        var stream = type.AllInterfaces.FirstOrDefault(i => i.Name == "IStreamRequest" && i.TypeArguments.Length == 1);
        var request = type.AllInterfaces.FirstOrDefault(i => i.Name == "IRequest" && i.TypeArguments.Length == 1);
        var response = (stream ?? request)?.TypeArguments[0].ToMinimalDisplayString(semantics, position);
        if (stream is not null)
        {
            return $$"""
                internal sealed class {{name}}Handler : IStreamRequestHandler<{{name}}, {{response}}>
                {
                    public System.Collections.Generic.IAsyncEnumerable<{{response}}> Handle({{name}} request, System.Threading.CancellationToken ct)
                        => throw new System.NotImplementedException();
                }
                """;
        }

        return type.AllInterfaces.Any(i => i.Name == "ICommand" && i.TypeArguments.Length == 0)
            ? $$"""
                internal sealed class {{name}}Handler : ICommandHandler<{{name}}>
                {
                    public System.Threading.Tasks.ValueTask Handle({{name}} command, System.Threading.CancellationToken ct)
                        => throw new System.NotImplementedException();
                }
                """
            : $$"""
                internal sealed class {{name}}Handler : IRequestHandler<{{name}}, {{response}}>
                {
                    public System.Threading.Tasks.ValueTask<{{response}}> Handle({{name}} request, System.Threading.CancellationToken ct)
                        => throw new System.NotImplementedException();
                }
                """;
    }
}
