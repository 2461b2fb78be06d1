using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Xml.Generator.Model;

namespace Postrider.Xml.Generator.Parsing;

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

        var graph = new TypeGraph(type);
        graph.ServiceKnown.AddRange(type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == Names.Serializable)
            .Select(a => a.ConstructorArguments.FirstOrDefault().Value).OfType<INamedTypeSymbol>().Where(ServiceTypes.IsService).SelectMany(ServiceTypes.Known));
        foreach (var attribute in type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == Names.Serializable))
        {
            ct.ThrowIfCancellationRequested();
            if (attribute.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol root)
                continue;
            if (root is INamedTypeSymbol { IsUnboundGenericType: true })
                graph.Report(Rule.NotSerializable, type, Names.Display(root), Names.Display(type));
            else if (root is INamedTypeSymbol { TypeKind: TypeKind.Interface } service && ServiceTypes.IsService(service))
                ServiceTypes.Walk(graph, service);
            else
                graph.Of(root, type);
        }

        problems?.AddRange(graph.Problems);
        return new(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(), type.Name,
            new(graph.Types), new(graph.Objects), new(graph.Collections), new(graph.Enumerations));
    }

    private static string Fault(INamedTypeSymbol type, CancellationToken ct)
    {
        var declaration = type.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(ct) as TypeDeclarationSyntax;
        return type.BaseType?.ToDisplayString() != Names.Context ? "it does not derive from XmlContext"
            : declaration?.Modifiers.Any(SyntaxKind.PartialKeyword) != true ? "it is not partial"
            : type.ContainingType is not null ? "it is nested in another type"
            : type.TypeParameters.Length > 0 ? "it is generic"
            : type.IsAbstract ? "it is abstract"
            : null;
    }
}
