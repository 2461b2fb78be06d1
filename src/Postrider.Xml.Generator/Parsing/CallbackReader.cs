using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>Finds the methods of a type that are called while it is written or read: <c>[OnDeserialized]</c> and similar.</summary>
internal static class CallbackReader
{
    private const string Space = "System.Runtime.Serialization";

    private static readonly (string Attribute, CallbackMoment When)[] s_moments =
    [
        ($"{Space}.OnSerializingAttribute", CallbackMoment.Serializing), ($"{Space}.OnSerializedAttribute", CallbackMoment.Serialized),
        ($"{Space}.OnDeserializingAttribute", CallbackMoment.Deserializing), ($"{Space}.OnDeserializedAttribute", CallbackMoment.Deserialized),
    ];

    internal static IEnumerable<CallbackModel> Read(TypeGraph graph, INamedTypeSymbol owner)
    {
        foreach (var method in owner.GetMembers().OfType<IMethodSymbol>().Where(IsCallback))
        {
            foreach (var (attribute, when) in s_moments)
            {
                if (SymbolNames.Attribute(method, attribute) is null)
                    continue;
                var isHidden = !graph.CanReach(method);
                if (isHidden && owner.TypeArguments.Length > 0)
                    graph.Report(DiagnosticDescriptors.NotAccessible, method, SymbolNames.Display(method), SymbolNames.Display(graph.Context));
                else
                    yield return new(when, SymbolNames.Escape(method.Name), SymbolNames.Expanded(owner), isHidden);
            }
        }
    }

    // The serializer of data contracts accepts no other signature.
    private static bool IsCallback(IMethodSymbol method)
        => !method.IsStatic && !method.IsVirtual && !method.IsOverride && method.ReturnsVoid && method.TypeParameters.Length == 0
        && method.Parameters.Length == 1 && string.Equals(method.Parameters[0].Type.ToDisplayString(), $"{Space}.StreamingContext", StringComparison.Ordinal);
}
