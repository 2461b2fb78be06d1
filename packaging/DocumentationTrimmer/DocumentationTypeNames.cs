using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text;

namespace Postrider.Packaging;

/// <summary>Types as a documentation id writes them: <c>System.Collections.Generic.List{System.Int32}</c>, <c>`0[]</c>, <c>System.String@</c>.</summary>
/// <remarks>Source: the C# standard, annex D.4.2, ID string format.</remarks>
internal sealed class DocumentationTypeNames : ISignatureTypeProvider<string, object?>
{
    internal static readonly DocumentationTypeNames Instance = new();

    public string GetPrimitiveType(PrimitiveTypeCode code) => code switch
    {
        PrimitiveTypeCode.IntPtr => "System.IntPtr",
        PrimitiveTypeCode.UIntPtr => "System.UIntPtr",
        PrimitiveTypeCode.TypedReference => "System.TypedReference",
        _ => $"System.{code}",
    };

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
    {
        var type = reader.GetTypeDefinition(handle);
        return type.IsNested ? $"{GetTypeFromDefinition(reader, type.GetDeclaringType(), 0)}.{reader.GetString(type.Name)}" : Name(reader, type.Namespace, type.Name);
    }

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
    {
        var type = reader.GetTypeReference(handle);
        return type.ResolutionScope.Kind == HandleKind.TypeReference
            ? $"{GetTypeFromReference(reader, (TypeReferenceHandle)type.ResolutionScope, 0)}.{reader.GetString(type.Name)}"
            : Name(reader, type.Namespace, type.Name);
    }

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
        => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    // The arguments of a nested type are those of the outer one, then its own: A`1.B`1 with X and Y is A{X}.B{Y}.
    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments)
    {
        var text = new StringBuilder();
        var used = 0;
        var parts = genericType.Split('.');
        for (var i = 0; i < parts.Length; i++)
        {
            if (i > 0) text.Append('.');
            var tick = parts[i].IndexOf('`', StringComparison.Ordinal);
            if (tick < 0)
            {
                text.Append(parts[i]);
                continue;
            }

            var count = int.Parse(parts[i].AsSpan(tick + 1), System.Globalization.CultureInfo.InvariantCulture);
            text.Append(parts[i], 0, tick).Append('{').AppendJoin(',', typeArguments.Skip(used).Take(count)).Append('}');
            used += count;
        }

        return text.ToString();
    }

    public string GetGenericTypeParameter(object? genericContext, int index) => $"`{index}";

    public string GetGenericMethodParameter(object? genericContext, int index) => $"``{index}";

    public string GetSZArrayType(string elementType) => $"{elementType}[]";

    public string GetArrayType(string elementType, ArrayShape shape) => $"{elementType}[{string.Join(',', Enumerable.Repeat("0:", shape.Rank))}]";

    public string GetByReferenceType(string elementType) => $"{elementType}@";

    public string GetPointerType(string elementType) => $"{elementType}*";

    // The modifier of an "in" parameter or of an "init" accessor is no part of the id.
    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

    public string GetPinnedType(string elementType) => elementType;

    public string GetFunctionPointerType(MethodSignature<string> signature) => $"function {signature.ReturnType} ({string.Join(',', signature.ParameterTypes)})";

    private static string Name(MetadataReader reader, StringHandle space, StringHandle name)
        => space.IsNil ? reader.GetString(name) : $"{reader.GetString(space)}.{reader.GetString(name)}";
}
