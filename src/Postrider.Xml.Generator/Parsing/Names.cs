using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The names of the library's types and of the platform's attributes, and names of types as emitted code needs them.</summary>
internal static class Names
{
    internal const string Context = "Postrider.Xml.XmlContext";
    internal const string Serializable = "Postrider.Xml.XmlSerializableAttribute";
    internal const string Contract = "System.Runtime.Serialization.DataContractAttribute";
    internal const string Member = "System.Runtime.Serialization.DataMemberAttribute";
    internal const string Ignore = "System.Runtime.Serialization.IgnoreDataMemberAttribute";
    internal const string EnumMember = "System.Runtime.Serialization.EnumMemberAttribute";
    internal const string Collection = "System.Runtime.Serialization.CollectionDataContractAttribute";
    internal const string KnownType = "System.Runtime.Serialization.KnownTypeAttribute";
    internal const string ContractNamespace = "System.Runtime.Serialization.ContractNamespaceAttribute";

    private static readonly SymbolDisplayFormat s_full =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat s_known = s_full.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted);

    internal static string Full(ITypeSymbol type) => type.ToDisplayString(s_full);

    /// <summary>The name by which <see cref="KnownTypes"/> lists a type.</summary>
    internal static string Known(ITypeSymbol type) => type.ToDisplayString(s_known);

    internal static string Display(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);

    internal static AttributeData Attribute(ISymbol symbol, string name)
        => symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == name);

    internal static object Argument(AttributeData attribute, string name)
        => attribute?.NamedArguments.FirstOrDefault(a => a.Key == name).Value.Value;

    internal static string Text(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    internal static string Escape(string name) => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>A type's name as part of an identifier.</summary>
    internal static string Identifier(ITypeSymbol type)
    {
        var name = new StringBuilder();
        foreach (var letter in Full(type).Replace("global::", ""))
            name.Append(char.IsLetterOrDigit(letter) ? letter : '_');
        return name.ToString();
    }
}
