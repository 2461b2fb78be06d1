using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;

namespace Postrider.Xml.Generator.Parsing;

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

        var graph = new TypeGraph(type);
        graph.ServiceKnown.AddRange(type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.Serializable)
            .Select(a => a.ConstructorArguments.FirstOrDefault().Value).OfType<INamedTypeSymbol>().Where(ServiceTypes.IsService).SelectMany(ServiceTypes.Known));
        foreach (var attribute in type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.Serializable))
        {
            ct.ThrowIfCancellationRequested();
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol root)
                continue;
            if (root is INamedTypeSymbol { IsUnboundGenericType: true })
                graph.Report(DiagnosticDescriptors.NotSerializable, type, SymbolNames.Display(root), SymbolNames.Display(type));
            else if (root is INamedTypeSymbol { TypeKind: TypeKind.Interface } service && ServiceTypes.IsService(service))
                ServiceTypes.Walk(graph, service);
            else
                graph.Of(root, type);
        }

        diagnostics.AddRange(graph.Diagnostics);
        return new(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(), type.Name,
            new(graph.Types), new(graph.Objects), new(graph.Collections), new(graph.Enumerations));
    }
}
