using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.Generators;

/// <summary>Names of symbols for emitted code and messages, and lookups of attributes by name.</summary>
internal static class SymbolNames
{
    // ValueTuple instead of (a, b): the names of a tuple's parts do not belong to its type.
    private static readonly SymbolDisplayFormat s_expanded =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat s_known = s_expanded.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted);

    /// <summary>The name with <c>global::</c>.</summary>
    internal static string Full(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    /// <summary>The name with <c>global::</c>, and with <c>ValueTuple</c> for tuples.</summary>
    internal static string Expanded(ITypeSymbol type) => type.ToDisplayString(s_expanded);

    /// <summary>As <see cref="Expanded"/> without <c>global::</c>: the name under which tables list a type.</summary>
    internal static string Known(ITypeSymbol type) => type.ToDisplayString(s_known);

    /// <summary>The name in messages.</summary>
    internal static string Display(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);

    /// <summary>The name of a type's definition without its type parameters: <c>System.Threading.Tasks.Task</c>.</summary>
    internal static string Definition(ITypeSymbol type)
        => type.ContainingNamespace is { IsGlobalNamespace: false } space ? $"{space.ToDisplayString()}.{type.Name}" : type.Name;

    /// <summary>The full name as an identifier: every character that is not allowed in one becomes an underscore.</summary>
    internal static string Identifier(ITypeSymbol type)
    {
        var name = new StringBuilder();
        foreach (var letter in Expanded(type).Replace("global::", ""))
            name.Append(char.IsLetterOrDigit(letter) ? letter : '_');
        return name.ToString();
    }

    /// <summary>A member's name in C#: keywords get an <c>@</c>.</summary>
    internal static string Escape(string name) => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>A string literal, with its quotes.</summary>
    internal static string Text(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    /// <summary>The first attribute with a full name, or null.</summary>
    internal static AttributeData? Attribute(ISymbol symbol, string name)
        => symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == name);

    /// <summary>The value of an attribute's named argument, or null.</summary>
    internal static object? Argument(AttributeData? attribute, string name)
        => attribute?.NamedArguments.FirstOrDefault(a => a.Key == name).Value.Value;
}
