using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>The types that a context reaches, each with its formatter.</summary>
internal sealed class TypeGraph(INamedTypeSymbol context, bool textScalars)
{
    private readonly Dictionary<string, string?> _formatters = [];
    private readonly HashSet<string> _identifiers = [];

    internal List<ObjectModel> Objects { get; } = [];

    internal List<UnionModel> Unions { get; } = [];

    internal List<DiagnosticInfo> Diagnostics { get; } = [];

    internal INamedTypeSymbol Context { get; } = context;

    /// <summary>The formatter of a type, or null after a problem.</summary>
    /// <param name="type">The type.</param>
    /// <param name="user">The member or context that needs it.</param>
    internal string? FormatterOf(ITypeSymbol type, ISymbol user)
    {
        var full = SymbolNames.Expanded(type);
        if (_formatters.TryGetValue(full, out var known))
            return known;

        var formatter = Find(type, full, user);
        _formatters[full] = formatter;
        return formatter;
    }

    /// <summary>The formatter that an attribute names, or null after a problem.</summary>
    internal string? Named(AttributeData attribute, ITypeSymbol type, ISymbol user)
    {
        var formatter = attribute.ConstructorArguments[0].Value as INamedTypeSymbol;
        if (formatter is { IsValueType: true, IsUnboundGenericType: false } && formatter.AllInterfaces.Any(i =>
            i.OriginalDefinition.ToDisplayString() == KnownNames.FormatterInterface && SymbolNames.Expanded(i.TypeArguments[0]) == SymbolNames.Expanded(type)))
            return SymbolNames.Expanded(formatter);
        Report(DiagnosticDescriptors.WrongFormatter, user, formatter is null ? "null" : SymbolNames.Display(formatter), SymbolNames.Display(type));
        return null;
    }

    internal void Report(DiagnosticDescriptor rule, ISymbol at, params string[] arguments)
        => Diagnostics.Add(new(rule, at.Locations.Any(l => l.IsInSource) ? at : Context, arguments));

    /// <summary>Whether emitted code in the context can access a member or type.</summary>
    internal bool CanReach(ISymbol symbol) => TypeShape.CanReach(symbol, Context.ContainingAssembly);

    private string? Find(ITypeSymbol type, string full, ISymbol user)
    {
        if (KnownTypes.Scalar(type, textScalars) is { } scalar)
            return scalar;
        if (type is IArrayTypeSymbol { Rank: 1 } array)
            return Around(array.ElementType, user, (item, formatter) => $"{KnownTypes.Library}Collections.ArrayOf<{item}, {formatter}>");
        if (type is not INamedTypeSymbol named)
            return Reject(type, user);
        if (SymbolNames.Attribute(named, KnownNames.Formatter) is { } attribute)
            return Named(attribute, named, user);
        if (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
            return Around(named.TypeArguments[0], user, (item, formatter) => $"{KnownTypes.Library}WrapperFormatters.Nullable<{item}, {formatter}>");
        if (named.EnumUnderlyingType is { } number)
            return Around(number, user, (item, formatter) => $"{KnownTypes.Library}WrapperFormatters.Enumeration<{full}, {item}, {formatter}>");
        if (KnownTypes.IsCollection(named))
            return Around(named.TypeArguments[0], user, (item, formatter) => KnownTypes.Collection(named, full, item, formatter));
        if (KnownTypes.IsMap(named))
        {
            return FormatterOf(named.TypeArguments[0], user) is { } key && FormatterOf(named.TypeArguments[1], user) is { } value
                ? KnownTypes.Map(named, full, SymbolNames.Expanded(named.TypeArguments[0]), key, SymbolNames.Expanded(named.TypeArguments[1]), value)
                : null;
        }

        return Written(named, full, user);
    }

    // A type with a generated formatter. Its name is registered before its members are read: they may refer back to it.
    private string? Written(INamedTypeSymbol type, string full, ISymbol user)
    {
        var isUnion = type.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == KnownNames.Union);
        var isTuple = Shapes.IsTuple(type);
        if (!isUnion && !isTuple && (SymbolNames.Attribute(type, KnownNames.Object) is null || type.IsAbstract))
            return Reject(type, user);
        if (!CanReach(type))
        {
            Report(DiagnosticDescriptors.NotAccessible, type, SymbolNames.Display(type), SymbolNames.Display(Context));
            return null;
        }

        // A type without a namespace has no longer name to use if its short name is taken.
        var identifier = TypeIdentifier.Of(type) + "Formatter";
        for (var n = 1; !_identifiers.Add(identifier); n++)
            identifier = $"{SymbolNames.Identifier(type)}{(n == 1 ? "" : "_" + n)}Formatter";
        _formatters[full] = identifier;
        if (isUnion)
            Unions.Add(UnionReader.Read(this, type, identifier));
        else
            Objects.Add(isTuple ? Shapes.Tuple(this, type, identifier, user) : ObjectReader.Read(this, type, identifier));
        return identifier;
    }

    private string? Around(ITypeSymbol item, ISymbol user, System.Func<string, string, string> formatter)
        => FormatterOf(item, user) is { } found ? formatter(SymbolNames.Expanded(item), found) : null;

    private string? Reject(ITypeSymbol type, ISymbol user)
    {
        Report(DiagnosticDescriptors.NotSerializable, user, SymbolNames.Display(type), SymbolNames.Display(user));
        return null;
    }
}
