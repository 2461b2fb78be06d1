using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Reads a context and everything that it reaches.</summary>
internal static class ContextReader
{
    /// <summary>The context, or null when nothing can be written for it.</summary>
    internal static ContextModel Read(INamedTypeSymbol type, List<Problem> problems, CancellationToken ct)
    {
        if (Fault(type, ct) is { } fault)
        {
            problems?.Add(new(Rule.WrongContext, type, [Names.Display(type), fault]));
            return null;
        }

        var textScalars = Names.Attribute(type, Names.Compatibility)?.NamedArguments.Any(a => a is { Key: "TextScalars", Value.Value: true }) == true;
        var graph = new TypeGraph(type, textScalars);
        var roots = new List<RootModel>();
        foreach (var attribute in type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == Names.Serializable))
        {
            ct.ThrowIfCancellationRequested();
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol root || roots.Any(r => r.Type == Names.Full(root)))
                continue;
            if (root is INamedTypeSymbol { IsUnboundGenericType: true })
            {
                graph.Report(Rule.NotSerializable, type, Names.Display(root), Names.Display(type));
                continue;
            }

            var name = attribute.NamedArguments.FirstOrDefault(a => a.Key == "Name").Value.Value as string ?? Names.Identifier(root);
            for (var n = 1; roots.Any(r => r.Property == name) || name == type.Name || name is "Default" or "Types" or "Find" or "Get"; n++)
                name = $"{Names.LongIdentifier(root)}{(n == 1 ? "" : "_" + n)}";
            if (graph.FormatterOf(root, type) is { } formatter)
                roots.Add(new(name, Names.Full(root), formatter));
        }

        problems?.AddRange(graph.Problems);
        var reached = graph.Objects.Select(o => (o.Type, o.Formatter)).Concat(graph.Unions.Select(u => (u.Type, u.Formatter)))
            .Where(o => roots.All(r => r.Type != o.Type)).Select(o => new RootModel(null, o.Type, o.Formatter)).ToList();
        return new(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(), type.Name,
            type.DeclaredAccessibility == Accessibility.Public ? "public" : "internal",
            new(roots.Concat(reached)), new(graph.Objects), new(graph.Unions));
    }

    private static string Fault(INamedTypeSymbol type, CancellationToken ct)
    {
        var declaration = type.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(ct) as TypeDeclarationSyntax;
        return type.BaseType?.ToDisplayString() != Names.Context ? "it does not derive from MessagePackContext"
            : declaration?.Modifiers.Any(SyntaxKind.PartialKeyword) != true ? "it is not partial"
            : type.ContainingType is not null ? "it is nested in another type"
            : type.TypeParameters.Length > 0 ? "it is generic"
            : type.IsAbstract ? "it is abstract"
            : null;
    }
}
