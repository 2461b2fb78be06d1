using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>The names of the library's types, and names of types as emitted code needs them.</summary>
internal static class Names
{
    internal const string Context = "Postrider.MessagePack.MessagePackContext";
    internal const string Serializable = "Postrider.MessagePack.MessagePackSerializableAttribute";
    internal const string Object = "Postrider.MessagePack.MessagePackObjectAttribute";
    internal const string Key = "Postrider.MessagePack.KeyAttribute";
    internal const string Ignore = "Postrider.MessagePack.IgnoreMemberAttribute";
    internal const string Union = "Postrider.MessagePack.UnionAttribute";
    internal const string Constructor = "Postrider.MessagePack.SerializationConstructorAttribute";
    internal const string Formatter = "Postrider.MessagePack.MessagePackFormatterAttribute";
    internal const string Compatibility = "Postrider.MessagePack.MessagePackCompatibilityAttribute";
    internal const string FormatterInterface = "Postrider.MessagePack.IMessagePackFormatter<T>";

    // ValueTuple instead of (a, b): the names of a tuple's parts are no part of its type.
    private static readonly SymbolDisplayFormat s_full =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat s_known = s_full.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted);

    internal static string Full(ITypeSymbol type) => type.ToDisplayString(s_full);

    /// <summary>The name by which <see cref="KnownTypes"/> lists a type.</summary>
    internal static string Known(ITypeSymbol type) => type.ToDisplayString(s_known);

    internal static string Display(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);

    internal static AttributeData Attribute(ISymbol symbol, string name)
        => symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == name);

    /// <summary>A type's name as part of an identifier: <c>ListOfOrder</c>, <c>OrderArray</c>, <c>NullableInt32</c>.</summary>
    internal static string Identifier(ITypeSymbol type)
    {
        switch (type)
        {
            case IArrayTypeSymbol array:
                return Identifier(array.ElementType) + "Array";
            case INamedTypeSymbol { IsTupleType: true } tuple:
                return "TupleOf" + string.Join("And", tuple.TupleElements.Select(e => Identifier(e.Type)));
            case INamedTypeSymbol { TypeArguments.Length: > 0 } generic:
                var arguments = string.Join("And", generic.TypeArguments.Select(Identifier));
                return generic.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T ? "Nullable" + arguments : generic.Name + "Of" + arguments;
            default:
                return type.Name;
        }
    }

    /// <summary>The same with the namespace and the types around it, where the short one is taken.</summary>
    internal static string LongIdentifier(ITypeSymbol type)
    {
        var name = new StringBuilder();
        foreach (var letter in Full(type).Replace("global::", ""))
            name.Append(char.IsLetterOrDigit(letter) ? letter : '_');
        return name.ToString();
    }
}
