using System.Reflection.Metadata;

namespace Postrider.Profile;

/// <summary>A type of a compiled assembly with its arguments.</summary>
/// <param name="Assembly">The assembly that defines it.</param>
/// <param name="Handle">Its definition there.</param>
/// <param name="Arguments">Its type arguments with those of the types around it, as names; empty for a type without type parameters.</param>
public sealed record CompiledType(CompiledAssembly Assembly, TypeDefinitionHandle Handle, IReadOnlyList<TypeName> Arguments)
{
    /// <summary>The type's row in the metadata of the assembly.</summary>
    public TypeDefinition Definition => Assembly.Metadata.GetTypeDefinition(Handle);

    /// <summary>Whether it is a struct or an enumeration.</summary>
    public bool IsValueType
    {
        get
        {
            var parent = Definition.BaseType;
            var metadata = Assembly.Metadata;
            var (space, name) = parent.Kind switch
            {
                HandleKind.TypeReference => (metadata.GetTypeReference((TypeReferenceHandle)parent).Namespace, metadata.GetTypeReference((TypeReferenceHandle)parent).Name),
                HandleKind.TypeDefinition when !parent.IsNil => (metadata.GetTypeDefinition((TypeDefinitionHandle)parent).Namespace, metadata.GetTypeDefinition((TypeDefinitionHandle)parent).Name),
                _ => default,
            };
            // System.Enum derives from ValueType and is a class.
            return !name.IsNil && metadata.StringComparer.Equals(space, "System")
                && (metadata.StringComparer.Equals(name, "ValueType") || metadata.StringComparer.Equals(name, "Enum"))
                && Assembly.FullName(Handle) != "System.Enum";
        }
    }
}
