using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Postrider.UnitTests.Profile;

/// <summary>Reads a profile of the native compiler again: for each group of assemblies its methods with the values listed for them.</summary>
internal sealed class ProfileContent
{
    private readonly MetadataReader _metadata;

    public ProfileContent(byte[] module)
    {
        using var file = new PEReader(ImmutableArray.Create(module));
        _metadata = file.GetMetadataReader();
        var dictionary = _metadata.MethodDefinitions.Single(handle => _metadata.StringComparer.Equals(_metadata.GetMethodDefinition(handle).Name, "AssemblyDictionary"));
        Groups = ReadItems(file, dictionary)
            .Chunk(3)
            .ToDictionary(entry => (string)entry[0]!, entry => Methods(ReadItems(file, (MethodDefinitionHandle)(EntityHandle)entry[1]!)));
    }

    /// <summary>For the names of assemblies the methods, with their values: numbers, and names of types and methods.</summary>
    public Dictionary<string, List<(string Name, IReadOnlyList<object> Values)>> Groups { get; }

    /// <summary>For the names of methods their return types and parameters.</summary>
    public Dictionary<string, string> Signatures { get; } = [];

    /// <summary>The values of the only method with a name.</summary>
    public IReadOnlyList<object> this[string name] => Groups.Values.SelectMany(group => group).Single(method => method.Name == name).Values;

    private List<(string Name, IReadOnlyList<object> Values)> Methods(List<object?> items)
    {
        var methods = new List<(string Name, IReadOnlyList<object> Values)>();
        for (var start = 0; start < items.Count;)
        {
            var end = start;
            while (items[end] is not null)
                end++;
            Assert.Equal("InstrumentationDataStart", items[start + 1]);
            Assert.Equal("InstrumentationDataEnd", items[end - 1]);
            methods.Add((Name((EntityHandle)items[start]!), [.. items.Skip(start + 2).Take(end - start - 3).Select(item => item is EntityHandle token ? Name(token) : item!)]));
            start = end + 1;
        }
        return methods;
    }

    /// <summary>The operands of a list's instructions; null for a pop.</summary>
    private List<object?> ReadItems(PEReader file, MethodDefinitionHandle method)
    {
        var code = file.GetMethodBody(_metadata.GetMethodDefinition(method).RelativeVirtualAddress).GetILBytes().AsSpan();
        var items = new List<object?>();
        while (code.Length > 0)
        {
            var (value, size) = ReadItem(code);
            items.Add(value);
            code = code[size..];
        }
        return items;
    }

    private (object? Value, int Size) ReadItem(ReadOnlySpan<byte> code) => (ILOpCode)code[0] switch
    {
        ILOpCode.Ldtoken => (MetadataTokens.EntityHandle(BinaryPrimitives.ReadInt32LittleEndian(code[1..])), 5),
        ILOpCode.Ldstr => (_metadata.GetUserString(MetadataTokens.UserStringHandle(BinaryPrimitives.ReadInt32LittleEndian(code[1..]) & 0xFFFFFF)), 5),
        ILOpCode.Pop => (null, 1),
        >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4_8 => ((long)(code[0] - (int)ILOpCode.Ldc_i4_0), 1),
        ILOpCode.Ldc_i4_s => ((long)(sbyte)code[1], 2),
        ILOpCode.Ldc_i4 => ((long)BinaryPrimitives.ReadInt32LittleEndian(code[1..]), 5),
        ILOpCode.Ldc_i8 => (BinaryPrimitives.ReadInt64LittleEndian(code[1..]), 9),
        var other => throw new InvalidOperationException($"The list contains the instruction {other}."),
    };

    private string Name(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.MemberReference:
                var member = _metadata.GetMemberReference((MemberReferenceHandle)handle);
                var name = $"{Name(member.Parent)}.{_metadata.GetString(member.Name)}";
                var signature = member.DecodeMethodSignature(new TypeNames(), null);
                Signatures[name] = $"{signature.ReturnType}({string.Join(", ", signature.ParameterTypes)})";
                return name;
            case HandleKind.TypeSpecification:
                return _metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(new TypeNames(), null);
            default:
                return TypeNames.Reference(_metadata, (TypeReferenceHandle)handle);
        }
    }

    /// <summary>Types by their names, those of other assemblies with the assembly.</summary>
    private sealed class TypeNames : ISignatureTypeProvider<string, object?>
    {
        public static string Reference(MetadataReader metadata, TypeReferenceHandle handle)
        {
            var type = metadata.GetTypeReference(handle);
            var name = metadata.GetString(type.Name);
            return type.ResolutionScope.Kind == HandleKind.TypeReference
                ? $"{Reference(metadata, (TypeReferenceHandle)type.ResolutionScope)}+{name}"
                : $"[{metadata.GetString(metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name)}]{metadata.GetString(type.Namespace)}.{name}";
        }

        public string GetArrayType(string elementType, ArrayShape shape) => $"{elementType}[{new string(',', shape.Rank - 1)}]";

        public string GetByReferenceType(string elementType) => elementType + "&";

        public string GetFunctionPointerType(MethodSignature<string> signature) => "method";

        public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) => $"{genericType}<{string.Join(',', typeArguments)}>";

        public string GetGenericMethodParameter(object? genericContext, int index) => $"!!{index}";

        public string GetGenericTypeParameter(object? genericContext, int index) => $"!{index}";

        public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => $"{unmodifiedType} {modifier}";

        public string GetPinnedType(string elementType) => elementType;

        public string GetPointerType(string elementType) => elementType + "*";

        public string GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode.ToString();

        public string GetSZArrayType(string elementType) => elementType + "[]";

        public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => throw new InvalidOperationException("A profile defines no types.");

        public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
            (rawTypeKind == (byte)SignatureTypeKind.ValueType ? "struct " : "") + Reference(reader, handle);

        public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);
    }
}
