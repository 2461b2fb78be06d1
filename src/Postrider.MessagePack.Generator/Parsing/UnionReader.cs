using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Reads the types of a union.</summary>
internal static class UnionReader
{
    internal static UnionModel Read(TypeGraph graph, INamedTypeSymbol type, string formatter)
    {
        var cases = new List<UnionCaseModel>();
        if (!type.IsAbstract)
            graph.Report(DiagnosticDescriptors.WrongUnion, type, SymbolNames.Display(type), "it is neither an interface nor an abstract class");

        foreach (var attribute in type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.Union))
        {
            if (attribute.ConstructorArguments.Length != 2 || attribute.ConstructorArguments[0].Value is not int key
                || attribute.ConstructorArguments[1].Value is not INamedTypeSymbol member)
                continue;

            var why = member.IsUnboundGenericType ? $"{SymbolNames.Display(member)} is an open generic type"
                : member.IsAbstract ? $"{SymbolNames.Display(member)} is abstract, so no value can have that type"
                : !IsA(member, type) ? $"{SymbolNames.Display(member)} does not derive from {SymbolNames.Display(type)}"
                : cases.Any(c => c.Key == key) ? $"key {key} is used twice"
                : cases.Any(c => c.Type == SymbolNames.Expanded(member)) ? $"{SymbolNames.Display(member)} is listed twice"
                : null;
            if (why is not null)
                graph.Report(DiagnosticDescriptors.WrongUnion, type, SymbolNames.Display(type), why);
            else if (graph.FormatterOf(member, type) is { } found)
                cases.Add(new(key, SymbolNames.Expanded(member), found));
        }

        return new(SymbolNames.Expanded(type), SymbolNames.Display(type), formatter, new(cases));
    }

    private static bool IsA(INamedTypeSymbol type, INamedTypeSymbol wanted)
    {
        for (var at = type; at is not null; at = at.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(at, wanted))
                return true;
        }

        return type.AllInterfaces.Contains(wanted, SymbolEqualityComparer.Default);
    }
}
