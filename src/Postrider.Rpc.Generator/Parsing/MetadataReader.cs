using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>Reads a contract's metadata for ASP.NET Core: authorization, rate limits, time-outs, cross-origin requests.</summary>
internal static class MetadataReader
{
    /// <summary>The attributes of a method's contract, followed by its own, in C#: a server uses the last of a kind.</summary>
    internal static List<string> Read(IMethodSymbol method, INamedTypeSymbol service)
        => service.GetAttributes().Concat(method.GetAttributes()).Select(Written).OfType<string>().ToList();

    // An attribute for ASP.NET Core as C# code, or null for any other.
    private static string? Written(AttributeData attribute)
    {
        if (attribute.AttributeClass is not { TypeKind: not TypeKind.Error } type || !IsForAspNetCore(type))
            return null;
        var arguments = string.Join(", ", attribute.ConstructorArguments.Select(Value));
        var properties = string.Join(", ", attribute.NamedArguments.Select(a => $"{a.Key} = {Value(a.Value)}"));
        return $"new {SymbolNames.Full(type)}({arguments}){(properties.Length > 0 ? $" {{ {properties} }}" : "")}";
    }

    // Its own attributes, and those that an application has derived from them or that implement its interfaces, such as IAuthorizeData.
    private static bool IsForAspNetCore(INamedTypeSymbol type)
    {
        for (var one = type; one is not null; one = one.BaseType)
        {
            if (IsOfAspNetCore(one))
                return true;
        }

        return type.AllInterfaces.Any(IsOfAspNetCore);
    }

    private static bool IsOfAspNetCore(INamedTypeSymbol type) => SymbolNames.Definition(type).StartsWith("Microsoft.AspNetCore.", System.StringComparison.Ordinal);

    private static string Value(TypedConstant value) => value.Kind switch
    {
        _ when value.IsNull => "null",
        TypedConstantKind.Array when value.Type is { } type => $"new {SymbolNames.Full(type)} {{ {string.Join(", ", value.Values.Select(Value))} }}",
        TypedConstantKind.Enum when value.Type is { } type => $"({SymbolNames.Full(type)})({SymbolDisplay.FormatPrimitive(value.Value!, quoteStrings: true, useHexadecimalNumbers: false)})",
        TypedConstantKind.Type when value.Value is ITypeSymbol type => $"typeof({SymbolNames.Full(type)})",
        _ => SymbolDisplay.FormatPrimitive(value.Value!, quoteStrings: true, useHexadecimalNumbers: false),
    };
}
