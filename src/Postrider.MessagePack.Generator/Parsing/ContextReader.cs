using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Reads a context and everything that it reaches.</summary>
internal static class ContextReader
{
    /// <summary>The context, or null if nothing can be generated for it.</summary>
    internal static ContextModel? Read(INamedTypeSymbol type, List<DiagnosticInfo> diagnostics, CancellationToken ct)
    {
        if (ContextShape.FindFault(type, KnownNames.Context, ct) is { } fault)
        {
            diagnostics.Add(new(DiagnosticDescriptors.WrongContext, type, [SymbolNames.Display(type), fault]));
            return null;
        }

        var textScalars = SymbolNames.Attribute(type, KnownNames.Compatibility)?.NamedArguments.Any(a => a is { Key: "TextScalars", Value.Value: true }) == true;
        var graph = new TypeGraph(type, textScalars);
        var roots = new List<RootModel>();
        foreach (var attribute in type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.Serializable))
        {
            ct.ThrowIfCancellationRequested();
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol root || roots.Any(r => r.Type == SymbolNames.Expanded(root)))
                continue;
            if (root is INamedTypeSymbol { IsUnboundGenericType: true })
            {
                graph.Report(DiagnosticDescriptors.NotSerializable, type, SymbolNames.Display(root), SymbolNames.Display(type));
                continue;
            }

            var name = attribute.NamedArguments.FirstOrDefault(a => a.Key == "Name").Value.Value as string ?? TypeIdentifier.Of(root);
            for (var n = 1; roots.Any(r => r.Property == name) || name == type.Name || name is "Default" or "Types" or "Find" or "Get"; n++)
                name = $"{SymbolNames.Identifier(root)}{(n == 1 ? "" : "_" + n)}";
            if (graph.FormatterOf(root, type) is { } formatter)
                roots.Add(new(name, SymbolNames.Expanded(root), formatter));
        }

        diagnostics.AddRange(graph.Diagnostics);
        var reached = graph.Objects.Select(o => (o.Type, o.Formatter)).Concat(graph.Unions.Select(u => (u.Type, u.Formatter)))
            .Where(o => roots.All(r => r.Type != o.Type)).Select(o => new RootModel(null, o.Type, o.Formatter)).ToList();
        return new(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(), type.Name,
            type.DeclaredAccessibility == Accessibility.Public ? "public" : "internal",
            new(roots.Concat(reached)), new(graph.Objects), new(graph.Unions));
    }
}
