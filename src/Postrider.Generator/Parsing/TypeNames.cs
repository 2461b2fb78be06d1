using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Parsing;

/// <summary>Names of types for emitted code, and which types that code can access.</summary>
internal static class TypeNames
{
    // Formatting a symbol's name takes microseconds, and the same few definitions and responses are needed for every
    // handler.
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_full = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_definitions = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, Boxed> s_bases = new();

    internal static string Full(ITypeSymbol type)
        => s_full.GetValue(type, static t => t.TypeKind == TypeKind.Dynamic ? "object" : t.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat));

    /// <summary>The name with nullable annotations, for declarations that the compiler compares with the user's.</summary>
    internal static string Annotated(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat
        .AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier));

    /// <summary>A member's name as written in code: keywords are escaped.</summary>
    internal static string Written(string name) => SyntaxFacts.GetKeywordKind(name) == SyntaxKind.None ? name : "@" + name;

    internal static string Display(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.CSharpErrorMessageFormat);

    /// <summary>The unbound name of a type's definition, in the format of the constants above.</summary>
    internal static string Definition(ITypeSymbol type)
        => s_definitions.GetValue(type.OriginalDefinition, static t => t.ToDisplayString());

    /// <summary>The name that <c>Type.FullName</c> gives for the definition.</summary>
    internal static string Metadata(ITypeSymbol type)
    {
        var name = new StringBuilder(type.OriginalDefinition.MetadataName);
        var outer = type.ContainingType;
        for (; outer is not null; outer = outer.ContainingType)
            name.Insert(0, outer.MetadataName + "+");
        for (var space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
            name.Insert(0, space.Name + ".");
        return name.ToString();
    }

    internal static TypeModel Type(ITypeSymbol type) => new(
        Full(type),
        Metadata(type),
        Display(type),
        type.IsSealed || type.IsValueType,
        type.IsValueType,
        IsPublic(type),
        Bases(type));

    /// <summary>The type, its base classes and its interfaces, and the other constraints that it satisfies.</summary>
    internal static EquatableArray<string> Bases(ITypeSymbol type)
        => s_bases.GetValue(type, static t => new(FindBases(t))).Value;

    private static EquatableArray<string> FindBases(ITypeSymbol type)
    {
        var all = new List<string> { Full(type) };
        for (var @base = type.BaseType; @base is not null; @base = @base.BaseType)
            all.Add(Full(@base));
        all.AddRange(type.AllInterfaces.Select(i => Full(i)));
        if (type.IsReferenceType)
            all.Add(Constraints.Class);
        if (type is { IsValueType: true, OriginalDefinition.SpecialType: not SpecialType.System_Nullable_T })
            all.Add(Constraints.Struct);
        if (type.IsUnmanagedType)
            all.Add(Constraints.Unmanaged);
        if (type.IsValueType || type is INamedTypeSymbol { IsAbstract: false } made && made.InstanceConstructors.Any(
            c => c is { Parameters.Length: 0, DeclaredAccessibility: Accessibility.Public }))
            all.Add(Constraints.New);
        return new(all);
    }

    internal static bool IsPublic(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol named && named.TypeArguments.Any(argument => !IsPublic(argument)))
            return false;
        if (type is IArrayTypeSymbol array)
            return IsPublic(array.ElementType);
        for (ISymbol s = type; s is ITypeSymbol; s = s.ContainingType)
        {
            if (s.DeclaredAccessibility is not (Accessibility.Public or Accessibility.NotApplicable))
                return false;
        }

        return true;
    }

    /// <summary>Whether it is obsolete as an error: the compiler only lets code use it that is obsolete itself.</summary>
    internal static bool IsForbidden(ISymbol symbol)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute is { AttributeClass.Name: "ObsoleteAttribute", ConstructorArguments: { Length: 2 } arguments } && arguments[1].Value is true)
                return true;
        }

        return false;
    }

    /// <summary>Whether generated code of the same project can access it.</summary>
    internal static bool IsReachable(ISymbol symbol)
    {
        for (var s = symbol; s is not null and not INamespaceSymbol; s = s.ContainingSymbol)
        {
            if (s is INamedTypeSymbol type && (type.IsFileLocal || IsForbidden(type)))
                return false;
            if (s.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)
                return false;
        }

        return true;
    }

    /// <summary>Whether generated code of the same project can name the type and all types that it consists of.</summary>
    internal static bool IsNameable(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsNameable(array.ElementType),
        IPointerTypeSymbol or IFunctionPointerTypeSymbol or ITypeParameterSymbol => false,
        INamedTypeSymbol named => !named.IsRefLikeType && IsReachable(named)
            && named.TypeArguments.All(IsNameable) && (named.ContainingType is null || IsNameable(named.ContainingType)),
        _ => true,
    };

    internal static AttributeData? Attribute(ISymbol symbol, string name)
        => symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass is { } type && Definition(type) == name);

    internal static T Argument<T>(AttributeData? attribute, string name, T otherwise)
    {
        foreach (var argument in attribute?.NamedArguments ?? [])
        {
            if (argument.Key == name && argument.Value.Value is { } value)
                return (T)value;
        }

        return otherwise;
    }

    private sealed class Boxed(EquatableArray<string> value)
    {
        internal EquatableArray<string> Value { get; } = value;
    }
}
