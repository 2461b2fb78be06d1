using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Postrider.Packaging;

/// <summary>The documentation ids of what users of an assembly can refer to: public and protected members of public types.</summary>
internal sealed class VisibleNames
{
    private readonly HashSet<string> _ids = new(StringComparer.Ordinal);
    private readonly MetadataReader _reader;

    internal VisibleNames(PEReader image)
    {
        _reader = image.GetMetadataReader();
        foreach (var handle in _reader.TypeDefinitions)
            if (FullName(handle) is { } name) Add(name, _reader.GetTypeDefinition(handle));
    }

    /// <summary>Whether a documentation id, such as <c>M:N.Type.Method(System.Int32)</c>, is of such a member.</summary>
    internal bool Contains(string id) => _ids.Contains(id);

    private void Add(string type, TypeDefinition definition)
    {
        _ids.Add($"T:{type}");
        foreach (var handle in definition.GetMethods())
            if (IsVisible(handle)) _ids.Add($"M:{type}.{MethodId(_reader.GetMethodDefinition(handle))}");
        foreach (var handle in definition.GetFields())
        {
            var field = _reader.GetFieldDefinition(handle);
            if ((field.Attributes & FieldAttributes.FieldAccessMask) is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem) _ids.Add($"F:{type}.{_reader.GetString(field.Name)}");
        }
        foreach (var handle in definition.GetProperties())
        {
            var property = _reader.GetPropertyDefinition(handle);
            var accessors = property.GetAccessors();
            if (IsVisible(accessors.Getter) || IsVisible(accessors.Setter))
                _ids.Add($"P:{type}.{Escape(property.Name)}{Parameters(property.DecodeSignature(DocumentationTypeNames.Instance, null).ParameterTypes)}");
        }
        foreach (var handle in definition.GetEvents())
        {
            var happening = _reader.GetEventDefinition(handle);
            if (IsVisible(happening.GetAccessors().Adder)) _ids.Add($"E:{type}.{_reader.GetString(happening.Name)}");
        }
    }

    private string MethodId(MethodDefinition method)
    {
        var signature = method.DecodeSignature(DocumentationTypeNames.Instance, null);
        var name = _reader.GetString(method.Name);
        var arity = signature.GenericParameterCount == 0 ? "" : $"``{signature.GenericParameterCount}";
        var returned = name is "op_Implicit" or "op_Explicit" or "op_CheckedExplicit" ? $"~{signature.ReturnType}" : "";
        return $"{Escape(method.Name)}{arity}{Parameters(signature.ParameterTypes)}{returned}";
    }

    // Dots separate the parts of an id.
    private string Escape(StringHandle name) => _reader.GetString(name).Replace('.', '#').Replace('<', '{').Replace('>', '}').Replace(',', '@');

    private static string Parameters(ImmutableArray<string> types) => types.IsEmpty ? "" : $"({string.Join(',', types)})";

    private bool IsVisible(MethodDefinitionHandle handle)
        => !handle.IsNil && (_reader.GetMethodDefinition(handle).Attributes & MethodAttributes.MemberAccessMask) is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem;

    // Null for a type that users cannot see.
    private string? FullName(TypeDefinitionHandle handle)
    {
        var type = _reader.GetTypeDefinition(handle);
        var name = _reader.GetString(type.Name);
        switch (type.Attributes & TypeAttributes.VisibilityMask)
        {
            case TypeAttributes.Public:
                return type.Namespace.IsNil ? name : $"{_reader.GetString(type.Namespace)}.{name}";
            case TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem:
                return FullName(type.GetDeclaringType()) is { } outer ? $"{outer}.{name}" : null;
            default:
                return null;
        }
    }
}
