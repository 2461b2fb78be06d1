using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The types that an RPC contract sends.</summary>
internal static class ServiceTypes
{
    internal static bool IsService(INamedTypeSymbol type)
        => type.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() is "Postrider.Rpc.ServiceAttribute" or "System.ServiceModel.ServiceContractAttribute");

    /// <summary>The types that a contract or one of its methods lists with <c>[ServiceKnownType]</c>.</summary>
    internal static IEnumerable<INamedTypeSymbol> Known(INamedTypeSymbol service)
        => service.AllInterfaces.Append(service).SelectMany(i => i.GetAttributes().Concat(i.GetMembers().SelectMany(m => m.GetAttributes())))
            .Where(a => a.AttributeClass?.ToDisplayString() == "System.ServiceModel.ServiceKnownTypeAttribute")
            .Select(a => a.ConstructorArguments.FirstOrDefault().Value).OfType<INamedTypeSymbol>();

    internal static void Walk(TypeGraph graph, INamedTypeSymbol service)
    {
        foreach (var method in service.AllInterfaces.Append(service).SelectMany(i => i.GetMembers()).OfType<IMethodSymbol>())
        {
            foreach (var parameter in method.Parameters)
                Reach(graph, parameter.Type, method);
            Reach(graph, method.ReturnType, method);
            foreach (var attribute in method.GetAttributes().Concat(service.GetAttributes()))
            {
                if (attribute.AttributeClass?.ToDisplayString() is "Postrider.Rpc.FaultAttribute" or "System.ServiceModel.FaultContractAttribute"
                    && attribute.ConstructorArguments.FirstOrDefault().Value is ITypeSymbol detail)
                    graph.Of(detail, method);
            }
        }
    }

    private static void Reach(TypeGraph graph, ITypeSymbol type, IMethodSymbol method)
    {
        switch (SymbolNames.Known(type.OriginalDefinition))
        {
            case "void" or "System.Threading.CancellationToken" or "Postrider.Rpc.CallContext" or "System.Threading.Tasks.Task" or "System.Threading.Tasks.ValueTask":
                break;
            case "System.Threading.Tasks.Task<TResult>" or "System.Threading.Tasks.ValueTask<TResult>" or "System.Collections.Generic.IAsyncEnumerable<T>":
                graph.Of(((INamedTypeSymbol)type).TypeArguments[0], method);
                break;
            default:
                graph.Of(type, method);
                break;
        }
    }
}
