using System.Linq;
using Microsoft.CodeAnalysis;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>A type's short name as part of an identifier: <c>ListOfOrder</c>, <c>OrderArray</c>, <c>NullableInt32</c>.</summary>
internal static class TypeIdentifier
{
    internal static string Of(ITypeSymbol type)
    {
        switch (type)
        {
            case IArrayTypeSymbol array:
                return Of(array.ElementType) + "Array";
            case INamedTypeSymbol { IsTupleType: true } tuple:
                return "TupleOf" + string.Join("And", tuple.TupleElements.Select(e => Of(e.Type)));
            case INamedTypeSymbol { TypeArguments.Length: > 0 } generic:
                var arguments = string.Join("And", generic.TypeArguments.Select(Of));
                return generic.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T ? "Nullable" + arguments : generic.Name + "Of" + arguments;
            default:
                return type.Name;
        }
    }
}
