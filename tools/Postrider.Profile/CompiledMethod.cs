using System.Reflection.Metadata;

namespace Postrider.Profile;

/// <summary>A method of a compiled assembly, and the type that a recording found it in.</summary>
/// <param name="Owner">The type, with its type arguments.</param>
/// <param name="Handle">The method in the assembly of <paramref name="Owner"/>.</param>
public sealed record CompiledMethod(CompiledType Owner, MethodDefinitionHandle Handle)
{
    /// <summary>The method's row in the metadata of the assembly.</summary>
    public MethodDefinition Definition => Owner.Assembly.Metadata.GetMethodDefinition(Handle);

    /// <summary>The method's name without the name of its type.</summary>
    public string Name => Owner.Assembly.Metadata.GetString(Definition.Name);

    /// <summary>Whether the method itself has type parameters.</summary>
    public bool IsGeneric => Definition.GetGenericParameters().Count > 0;

    /// <summary>The bytes of its IL, 0 without a body.</summary>
    public int BodySize => Definition.RelativeVirtualAddress == 0 ? 0 : Owner.Assembly.Body(Definition).GetILReader().Length;
}
