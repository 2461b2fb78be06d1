using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads what a contract says to ASP.NET Core: authorization, rate limits, time-outs, cross-origin requests.</summary>
internal static class MetadataReader
{
    /// <summary>The attributes of a method's contract, then its own, in C#: a server takes the last of a kind.</summary>
    internal static List<string> Read(IMethodSymbol method, INamedTypeSymbol service)
        => service.GetAttributes().Concat(method.GetAttributes()).Where(IsServers).Select(Written).ToList();

    private static bool IsServers(AttributeData attribute)
        => attribute.AttributeClass is { TypeKind: not TypeKind.Error } type && Names.Definition(type).StartsWith("Microsoft.AspNetCore.", System.StringComparison.Ordinal);

    private static string Written(AttributeData attribute)
    {
        var arguments = string.Join(", ", attribute.ConstructorArguments.Select(Value));
        var properties = string.Join(", ", attribute.NamedArguments.Select(a => $"{a.Key} = {Value(a.Value)}"));
        return $"new {Names.Full(attribute.AttributeClass)}({arguments}){(properties.Length > 0 ? $" {{ {properties} }}" : "")}";
    }

    private static string Value(TypedConstant value) => value.Kind switch
    {
        _ when value.IsNull => "null",
        TypedConstantKind.Array => $"new {Names.Full(value.Type)} {{ {string.Join(", ", value.Values.Select(Value))} }}",
        TypedConstantKind.Enum => $"({Names.Full(value.Type)})({SymbolDisplay.FormatPrimitive(value.Value, quoteStrings: true, useHexadecimalNumbers: false)})",
        TypedConstantKind.Type => $"typeof({Names.Full((ITypeSymbol)value.Value)})",
        _ => SymbolDisplay.FormatPrimitive(value.Value, quoteStrings: true, useHexadecimalNumbers: false),
    };
}
