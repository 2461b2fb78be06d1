using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Types of the platform that are written as an array of their parts: tuples and pairs.</summary>
internal static class Shapes
{
    internal static bool IsTuple(INamedTypeSymbol type)
    {
        var name = SymbolNames.Known(type.OriginalDefinition);
        return type.TypeArguments.Length > 0
            && (name.StartsWith("System.ValueTuple<") || name.StartsWith("System.Tuple<") || name == "System.Collections.Generic.KeyValuePair<TKey, TValue>");
    }

    internal static ObjectModel Tuple(TypeGraph graph, INamedTypeSymbol type, string formatter, ISymbol user)
    {
        var isPair = type.Name == "KeyValuePair";
        var members = new List<MemberModel>();
        for (var i = 0; i < type.TypeArguments.Length; i++)
        {
            var name = isPair ? (i == 0 ? "Key" : "Value") : i == 7 ? "Rest" : $"Item{i + 1}";
            if (graph.FormatterOf(type.TypeArguments[i], user) is { } item)
                members.Add(new(name, SymbolNames.Expanded(type.TypeArguments[i]), item, i, null, Setting.Argument, null, IsField: false));
        }

        return new(
            SymbolNames.Expanded(type), SymbolNames.Display(type), formatter, type.IsValueType, IsNamed: false, new(members), new(Enumerable.Range(0, members.Count)));
    }
}
