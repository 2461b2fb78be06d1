using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Postrider.Profile;

/// <summary>Writes references to types and methods of other assemblies into a module.</summary>
internal sealed class ReferenceWriter(MetadataBuilder metadata, AssemblyIndex index)
{
    /// <summary>The runtime's name for "any class" among type arguments, and the assembly in which the native compiler finds it.</summary>
    private const string AnyClass = "System.__Canon";
    private const string AnyClassAssembly = "System.Private.Canon";

    private readonly Dictionary<string, AssemblyReferenceHandle> _assemblies = new(StringComparer.Ordinal);
    private readonly Dictionary<(EntityHandle Scope, string Space, string Name), TypeReferenceHandle> _types = [];
    private readonly Dictionary<BlobHandle, TypeSpecificationHandle> _constructed = [];
    private readonly Dictionary<(EntityHandle Owner, string Name, BlobHandle Signature), MemberReferenceHandle> _methods = [];

    /// <summary>A method without type parameters of its own.</summary>
    public bool TryMethod(CompiledMethod method, out EntityHandle token)
    {
        token = default;
        if (!TryType(method.Owner, out var owner))
            return false;
        var signature = new BlobBuilder();
        new SignatureCopy(method.Owner.Assembly, this, signature).Method(method.Definition.Signature);
        var blob = metadata.GetOrAddBlob(signature);
        if (!_methods.TryGetValue((owner, method.Name, blob), out var reference))
            _methods[(owner, method.Name, blob)] = reference = metadata.AddMemberReference(owner, metadata.GetOrAddString(method.Name), blob);
        token = reference;
        return true;
    }

    /// <summary>The assemblies of a type and its arguments, its own first, each followed by a semicolon.</summary>
    public string AssembliesOf(CompiledType type)
    {
        var others = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var argument in type.Arguments)
            Collect(argument);
        others.Remove(type.Assembly.Name);
        return string.Concat(others.Prepend(type.Assembly.Name).Select(name => name + ";"));

        void Collect(TypeName name)
        {
            if (name.IsArray || name.IsByRef || name.IsPointer)
            {
                Collect(name.GetElementType());
            }
            else if (name.FullName != AnyClass && Primitive(name) is null && index.TryFindType(name, out var found))
            {
                others.Add(found.Assembly.Name);
                foreach (var argument in found.Arguments)
                    Collect(argument);
            }
        }
    }

    /// <summary>A reference to a type of an assembly, for each of the types around it too.</summary>
    public TypeReferenceHandle Definition(CompiledAssembly assembly, TypeDefinitionHandle handle)
    {
        var type = assembly.Metadata.GetTypeDefinition(handle);
        var outer = type.GetDeclaringType();
        EntityHandle scope = outer.IsNil ? Assembly(assembly.Name) : Definition(assembly, outer);
        return Reference(scope, assembly.Metadata.GetString(type.Namespace), assembly.Metadata.GetString(type.Name));
    }

    /// <summary>The same reference as an assembly has.</summary>
    public TypeReferenceHandle Reference(CompiledAssembly assembly, TypeReferenceHandle handle)
    {
        var type = assembly.Metadata.GetTypeReference(handle);
        EntityHandle scope = type.ResolutionScope.Kind switch
        {
            HandleKind.TypeReference => Reference(assembly, (TypeReferenceHandle)type.ResolutionScope),
            HandleKind.AssemblyReference => Assembly(assembly.Metadata.GetString(assembly.Metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name)),
            _ => Assembly(assembly.Name),
        };
        return Reference(scope, assembly.Metadata.GetString(type.Namespace), assembly.Metadata.GetString(type.Name));
    }

    /// <summary>A type that is described by a signature.</summary>
    public TypeSpecificationHandle Constructed(BlobBuilder signature)
    {
        var blob = metadata.GetOrAddBlob(signature);
        if (!_constructed.TryGetValue(blob, out var handle))
            _constructed[blob] = handle = metadata.AddTypeSpecification(blob);
        return handle;
    }

    /// <summary>A type with its arguments; false if one of these has no name in the assemblies.</summary>
    public bool TryType(CompiledType type, out EntityHandle token)
    {
        if (type.Arguments.Count == 0)
        {
            token = Definition(type.Assembly, type.Handle);
            return true;
        }
        token = default;
        var signature = new BlobBuilder();
        if (!TryWrite(type, signature))
            return false;
        token = Constructed(signature);
        return true;
    }

    private bool TryWrite(CompiledType type, BlobBuilder signature)
    {
        if (type.Arguments.Count > 0)
            signature.WriteByte((byte)SignatureTypeCode.GenericTypeInstance);
        signature.WriteByte((byte)(type.IsValueType ? SignatureTypeKind.ValueType : SignatureTypeKind.Class));
        signature.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(Definition(type.Assembly, type.Handle)));
        if (type.Arguments.Count > 0)
            signature.WriteCompressedInteger(type.Arguments.Count);
        foreach (var argument in type.Arguments)
        {
            if (!TryWrite(argument, signature))
                return false;
        }
        return true;
    }

    private bool TryWrite(TypeName name, BlobBuilder signature)
    {
        if (name.IsSZArray)
        {
            signature.WriteByte((byte)SignatureTypeCode.SZArray);
            return TryWrite(name.GetElementType(), signature);
        }
        if (Primitive(name) is { } code)
        {
            signature.WriteByte((byte)code);
            return true;
        }
        if (name.FullName == AnyClass)
        {
            signature.WriteByte((byte)SignatureTypeKind.Class);
            signature.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(Reference(Assembly(AnyClassAssembly), "System", "__Canon")));
            return true;
        }
        return index.TryFindType(name, out var type) && TryWrite(type, signature);
    }

    private static SignatureTypeCode? Primitive(TypeName name) => name.FullName switch
    {
        "System.Boolean" => SignatureTypeCode.Boolean,
        "System.Char" => SignatureTypeCode.Char,
        "System.SByte" => SignatureTypeCode.SByte,
        "System.Byte" => SignatureTypeCode.Byte,
        "System.Int16" => SignatureTypeCode.Int16,
        "System.UInt16" => SignatureTypeCode.UInt16,
        "System.Int32" => SignatureTypeCode.Int32,
        "System.UInt32" => SignatureTypeCode.UInt32,
        "System.Int64" => SignatureTypeCode.Int64,
        "System.UInt64" => SignatureTypeCode.UInt64,
        "System.Single" => SignatureTypeCode.Single,
        "System.Double" => SignatureTypeCode.Double,
        "System.IntPtr" => SignatureTypeCode.IntPtr,
        "System.UIntPtr" => SignatureTypeCode.UIntPtr,
        "System.String" => SignatureTypeCode.String,
        "System.Object" => SignatureTypeCode.Object,
        _ => null,
    };

    private TypeReferenceHandle Reference(EntityHandle scope, string space, string name)
    {
        if (!_types.TryGetValue((scope, space, name), out var handle))
            _types[(scope, space, name)] = handle = metadata.AddTypeReference(scope, metadata.GetOrAddString(space), metadata.GetOrAddString(name));
        return handle;
    }

    private AssemblyReferenceHandle Assembly(string name)
    {
        if (!_assemblies.TryGetValue(name, out var handle))
            _assemblies[name] = handle = metadata.AddAssemblyReference(metadata.GetOrAddString(name), new Version(0, 0, 0, 0), default, default, default(AssemblyFlags), default);
        return handle;
    }
}
