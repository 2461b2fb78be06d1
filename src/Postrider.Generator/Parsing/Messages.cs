using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads messages that are declared partial.</summary>
internal static class Messages
{
    internal static IEnumerable<PartialMessageModel> Partial(INamedTypeSymbol type, TypeDeclarationSyntax declaration)
    {
        if (type.IsAbstract || type.IsFileLocal || type.TypeParameters.Length > 0 || !declaration.Modifiers.Any(SyntaxKind.PartialKeyword))
            yield break;

        var declarations = new List<string>();
        for (var outer = declaration; outer is not null; outer = outer.Parent as TypeDeclarationSyntax)
        {
            if (!outer.Modifiers.Any(SyntaxKind.PartialKeyword) || outer.Modifiers.Any(SyntaxKind.FileKeyword) || outer.TypeParameterList is not null)
                yield break;
            declarations.Insert(0, "partial " + Keyword(outer) + " " + outer.Identifier.Text);
        }

        var space = type.ContainingNamespace is { IsGlobalNamespace: false } named ? named.ToDisplayString() : "";
        foreach (var contract in type.AllInterfaces)
        {
            // A class that implements the method itself, as a class closer to the base may, is not changed.
            var (kind, response) = TypeNames.Definition(contract) switch
            {
                KnownNames.Request => (MessageKind.Request, TypeNames.Annotated(contract.TypeArguments[0])),
                KnownNames.Notification => (MessageKind.Notification, ""),
                KnownNames.StreamRequest => (MessageKind.Stream, TypeNames.Annotated(contract.TypeArguments[0])),
                _ => (default(MessageKind), (string?)null),
            };
            if (response is not null)
                yield return new(TypeNames.Type(type), kind, response, space, new(declarations));
        }
    }

    private static string Keyword(TypeDeclarationSyntax declaration) => declaration switch
    {
        RecordDeclarationSyntax record when record.ClassOrStructKeyword.IsKind(SyntaxKind.StructKeyword) => "record struct",
        RecordDeclarationSyntax => "record",
        StructDeclarationSyntax => "struct",
        InterfaceDeclarationSyntax => "interface",
        _ => "class",
    };
}
