using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Postrider.Generators;

/// <summary>Checks on types for the generators of formatters.</summary>
internal static class TypeShape
{
    /// <summary>Whether code of an assembly can access a member or type.</summary>
    internal static bool CanReach(ISymbol symbol, IAssemblySymbol from)
    {
        for (var at = symbol; at is not null and not INamespaceSymbol; at = at.ContainingSymbol)
        {
            var isInternal = at.DeclaredAccessibility is Accessibility.Internal or Accessibility.ProtectedOrInternal;
            if (at.DeclaredAccessibility != Accessibility.Public
                && !(isInternal && (SymbolEqualityComparer.Default.Equals(at.ContainingAssembly, from) || at.ContainingAssembly.GivesAccessTo(from))))
                return false;
        }

        return true;
    }

    /// <summary>Whether a type, or one around it, has type arguments.</summary>
    internal static bool IsGeneric(INamedTypeSymbol type)
        => type.TypeArguments.Length > 0 || (type.ContainingType is { } outer && IsGeneric(outer));

    /// <summary>A type and its bases, the outermost base first, without <c>object</c> and <c>ValueType</c>.</summary>
    internal static Stack<INamedTypeSymbol> BasesFirst(INamedTypeSymbol type)
    {
        var bases = new Stack<INamedTypeSymbol>();
        for (var at = type; at is not null && at.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); at = at.BaseType)
            bases.Push(at);
        return bases;
    }
}
