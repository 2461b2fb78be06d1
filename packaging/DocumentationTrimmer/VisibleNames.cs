using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Postrider.Packaging;

/// <summary>The names of what users of an assembly can refer to: public and protected members of public types.</summary>
/// <remarks>By name: an internal overload of a public method counts as public.</remarks>
internal sealed class VisibleNames
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly MetadataReader _reader;

    internal VisibleNames(PEReader image)
    {
        _reader = image.GetMetadataReader();
        foreach (var handle in _reader.TypeDefinitions)
            if (FullName(handle) is { } name) Add(name, _reader.GetTypeDefinition(handle));
    }

    /// <summary>Whether a documentation id, such as <c>M:N.Type.Method(System.Int32)</c>, is of such a member.</summary>
    internal bool Contains(string id)
    {
        var name = id[2..].Split('(', '~')[0];
        var arity = name.IndexOf("``", StringComparison.Ordinal);
        return _names.Contains(arity < 0 ? name : name[..arity]);
    }

    private void Add(string type, TypeDefinition definition)
    {
        _names.Add(type);
        foreach (var handle in definition.GetMethods())
            if (IsVisible(handle)) _names.Add($"{type}.{_reader.GetString(_reader.GetMethodDefinition(handle).Name).Replace(".ctor", "#ctor", StringComparison.Ordinal)}");
        foreach (var handle in definition.GetFields())
        {
            var field = _reader.GetFieldDefinition(handle);
            if ((field.Attributes & FieldAttributes.FieldAccessMask) is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem) _names.Add($"{type}.{_reader.GetString(field.Name)}");
        }
        foreach (var handle in definition.GetProperties())
        {
            var property = _reader.GetPropertyDefinition(handle);
            var accessors = property.GetAccessors();
            if (IsVisible(accessors.Getter) || IsVisible(accessors.Setter)) _names.Add($"{type}.{_reader.GetString(property.Name)}");
        }
        foreach (var handle in definition.GetEvents())
        {
            var happening = _reader.GetEventDefinition(handle);
            if (IsVisible(happening.GetAccessors().Adder)) _names.Add($"{type}.{_reader.GetString(happening.Name)}");
        }
    }

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
