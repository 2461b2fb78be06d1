using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The types that can be bound to a path, a query or a header.</summary>
internal static class TextForms
{
    private const string Library = "global::Postrider.Rpc.HttpValueConverters.";

    /// <summary>The form of a type in C#; null if it can only be bound to a body.</summary>
    internal static string? Of(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
            return Of(nullable.TypeArguments[0]) is { } inner ? $"{Library}Nullable({inner})" : null;
        if (type.TypeKind == TypeKind.Enum)
            return $"{Library}Enum<{SymbolNames.Full(type)}>()";
        return type.SpecialType switch
        {
            SpecialType.System_String => Library + "String",
            SpecialType.System_Boolean => Library + "Boolean",
            SpecialType.System_DateTime => Library + "DateTime",
            SpecialType.System_SByte or SpecialType.System_Byte or SpecialType.System_Int16 or SpecialType.System_UInt16 or SpecialType.System_Int32
                or SpecialType.System_UInt32 or SpecialType.System_Int64 or SpecialType.System_UInt64 => $"{Library}Integer<{SymbolNames.Full(type)}>()",
            SpecialType.System_Single or SpecialType.System_Double or SpecialType.System_Decimal => $"{Library}Real<{SymbolNames.Full(type)}>()",
            _ => SymbolNames.Definition(type) switch
            {
                "System.Guid" or "System.DateTimeOffset" or "System.DateOnly" or "System.TimeOnly" or "System.TimeSpan" or "System.Uri" => Library + type.Name,
                "System.Int128" or "System.UInt128" => $"{Library}Integer<{SymbolNames.Full(type)}>()",
                _ => ReadsItself(type) ? $"{Library}Parsable<{SymbolNames.Full(type)}>()" : null,
            },
        };
    }

    /// <summary>The item type of a list, how it is read, and the form of an item; null if the type is not a list for a query.</summary>
    internal static (ITypeSymbol Item, string Read, string Text)? OfList(ITypeSymbol type)
    {
        // Bytes are a value themselves, not a list.
        var (item, read) = type switch
        {
            IArrayTypeSymbol { Rank: 1, ElementType: { SpecialType: not SpecialType.System_Byte } element } => (element, "ReadArray"),
            INamedTypeSymbol { TypeArguments.Length: 1 } list when SymbolNames.Definition(type) is "System.Collections.Generic.List" or "System.Collections.Generic.IList"
                or "System.Collections.Generic.ICollection" or "System.Collections.Generic.IEnumerable" or "System.Collections.Generic.IReadOnlyList"
                or "System.Collections.Generic.IReadOnlyCollection" => (list.TypeArguments[0], "ReadList"),
            _ => ((ITypeSymbol?)null, ""),
        };
        return item is not null && Of(item) is { } text ? (item, read, text) : null;
    }

    private static bool ReadsItself(ITypeSymbol type)
        => type.AllInterfaces.Any(i => i.TypeArguments.Length == 1 && SymbolNames.Definition(i) == "System.IParsable" && SymbolEqualityComparer.Default.Equals(i.TypeArguments[0], type));
}
