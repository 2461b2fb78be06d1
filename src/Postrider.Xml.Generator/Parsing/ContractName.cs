using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The names that data contracts have. Source: the rules for data contract names in WCF's documentation, and what
/// DataContractSerializer writes.</summary>
internal static class ContractName
{
    private const int DigestBytes = 6;

    internal static (string Name, string Namespace) Of(INamedTypeSymbol type, string attribute, Func<ITypeSymbol, (string Name, string Namespace)> nameOf)
    {
        var found = SymbolNames.Attribute(type, attribute);
        var arguments = Arguments(type).Select(nameOf).ToList();
        var name = SymbolNames.Argument(found, "Name") as string is { } given ? Expand(given, type, arguments) : Default(type, arguments);
        return (name, SymbolNames.Argument(found, "Namespace") as string ?? Space(type));
    }

    /// <summary>The name of a pair of a dictionary.</summary>
    internal static string Pair((string Name, string Namespace) key, (string Name, string Namespace) value)
        => $"KeyValueOf{key.Name}{value.Name}" + Digest("2", [key, value]);

    internal static string Space(INamedTypeSymbol type)
    {
        var clr = type.ContainingNamespace is { IsGlobalNamespace: false } space ? space.ToDisplayString() : "";
        foreach (var attribute in type.ContainingAssembly.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.ContractNamespace))
        {
            if ((SymbolNames.Argument(attribute, "ClrNamespace") as string ?? clr) == clr && attribute.ConstructorArguments.FirstOrDefault().Value is string given)
                return given;
        }

        return KnownTypes.Contracts + clr;
    }

    private static string Default(INamedTypeSymbol type, List<(string Name, string Namespace)> arguments)
    {
        var name = type.Name;
        for (var outer = type.ContainingType; outer is not null; outer = outer.ContainingType)
            name = outer.Name + "." + name;
        return arguments.Count == 0 ? name : name + "Of" + string.Concat(arguments.Select(a => a.Name)) + Digest(Counts(type), arguments);
    }

    private static string Expand(string format, INamedTypeSymbol type, List<(string Name, string Namespace)> arguments)
    {
        if (arguments.Count == 0)
            return format;
        format = format.Replace("{#}", Digest(Counts(type), arguments));
        for (var i = 0; i < arguments.Count; i++)
            format = format.Replace($"{{{i}}}", arguments[i].Name);
        return format;
    }

    // Types of other namespaces may have the same names: a digest distinguishes their namespaces.
    private static string Digest(string counts, List<(string Name, string Namespace)> arguments)
    {
        if (arguments.All(a => KnownTypes.IsBuiltIn(a.Namespace)) && !counts.Contains(" "))
            return "";
        var text = $" {counts}{string.Concat(arguments.Select(a => " " + a.Namespace))}";
#pragma warning disable CA5351 // A name, not a secret: the algorithm is the serializer's.
        using var hash = MD5.Create();
#pragma warning restore CA5351
        var digest = Convert.ToBase64String(hash.ComputeHash(Encoding.UTF8.GetBytes(text)), 0, DigestBytes);
        return digest.Replace("/", "_S").Replace("+", "_P");
    }

    private static string Counts(INamedTypeSymbol type)
    {
        var counts = new List<string>();
        for (var at = type; at is not null; at = at.ContainingType)
            counts.Insert(0, at.TypeArguments.Length.ToString(CultureInfo.InvariantCulture));
        return string.Join(" ", counts);
    }

    private static IEnumerable<ITypeSymbol> Arguments(INamedTypeSymbol type)
        => type.ContainingType is { } outer ? Arguments(outer).Concat(type.TypeArguments) : type.TypeArguments;
}
