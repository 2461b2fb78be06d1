using System.Diagnostics.CodeAnalysis;
using System.Reflection.Metadata;

namespace Postrider.Profile;

/// <summary>Finds types and methods by the names that the runtime writes into a profile.</summary>
public sealed class AssemblyIndex : IDisposable
{
    private static readonly TypeNameParseOptions s_anyDepth = new() { MaxNodes = 1_000 };
    private readonly List<CompiledAssembly> _assemblies = [];
    private readonly Dictionary<string, List<(CompiledAssembly Assembly, TypeDefinitionHandle Handle)>> _types = new(StringComparer.Ordinal);

    /// <summary>Opens all assemblies of some folders.</summary>
    /// <param name="folders">The folders; of two assemblies with the same name the first one counts.</param>
    public AssemblyIndex(IEnumerable<string> folders)
    {
        foreach (var path in folders.SelectMany(folder => Directory.EnumerateFiles(folder, "*.dll").Order(StringComparer.Ordinal)))
        {
            if (CompiledAssembly.Open(path) is not { } assembly)
                continue;
            if (_assemblies.Exists(other => other.Name == assembly.Name))
            {
                assembly.Dispose();
                continue;
            }
            _assemblies.Add(assembly);
            foreach (var handle in assembly.Metadata.TypeDefinitions)
            {
                var name = assembly.FullName(handle);
                if (!_types.TryGetValue(name, out var found))
                    _types[name] = found = [];
                found.Add((assembly, handle));
            }
        }
    }

    /// <summary>Finds a type by the text of its name.</summary>
    /// <param name="name">The name, as <see cref="TypeName"/> reads it; one with an assembly is looked for there only.</param>
    /// <param name="type">The type.</param>
    /// <returns>Whether exactly one type has this name.</returns>
    public bool TryFindType(string name, [NotNullWhen(true)] out CompiledType? type)
    {
        type = null;
        return TypeName.TryParse(name, out var parsed, s_anyDepth) && TryFindType(parsed, out type);
    }

    /// <summary>Finds a type.</summary>
    /// <param name="name">The name; one with an assembly is looked for there only.</param>
    /// <param name="type">The type.</param>
    /// <returns>Whether exactly one type has this name.</returns>
    public bool TryFindType(TypeName name, [NotNullWhen(true)] out CompiledType? type)
    {
        type = null;
        if (!name.IsSimple && !name.IsConstructedGenericType)
            return false;
        type = TypesNamed(name) is [var only] ? only : null;
        return type is not null;
    }

    /// <summary>Finds the method of a recording.</summary>
    /// <param name="recorded">The recording.</param>
    /// <param name="method">The method.</param>
    /// <returns>Whether exactly one method has this name, this size and, or not, type parameters.</returns>
    public bool TryFindMethod(RecordedMethod recorded, [NotNullWhen(true)] out CompiledMethod? method)
    {
        method = null;
        // The name of a method that implements a member of an interface explicitly contains dots itself.
        for (var dot = EndOfType(recorded.Name, recorded.Name.Length); dot > 0; dot = EndOfType(recorded.Name, dot))
        {
            var name = recorded.Name[(dot + 1)..];
            if (!TypeName.TryParse(recorded.Name.AsSpan(0, dot), out var owner, s_anyDepth))
                continue;
            var found = MethodsNamed(owner, name).Where(candidate => candidate.BodySize == recorded.BodySize && candidate.IsGeneric == recorded.IsGeneric).ToList();
            if (found is [var only])
            {
                method = only;
                return true;
            }
        }
        return false;
    }

    /// <summary>Finds the method that a sample of calls of delegates names.</summary>
    /// <param name="name">Its name, <c>|@|</c>, and its type with the assembly.</param>
    /// <param name="method">The method.</param>
    /// <returns>Whether exactly one method has this name.</returns>
    public bool TryFindMethod(string name, [NotNullWhen(true)] out CompiledMethod? method)
    {
        method = null;
        if (name.Split("|@|") is not [var methodName, var typeName] || !TypeName.TryParse(typeName, out var owner, s_anyDepth))
            return false;
        method = MethodsNamed(owner, methodName).ToList() is [var only] ? only : null;
        return method is not null;
    }

    /// <inheritdoc/>
    public void Dispose() => _assemblies.ForEach(assembly => assembly.Dispose());

    private List<CompiledType> TypesNamed(TypeName name)
    {
        IReadOnlyList<TypeName> arguments = name.IsConstructedGenericType ? name.GetGenericArguments() : [];
        var definition = name.IsConstructedGenericType ? name.GetGenericTypeDefinition() : name;
        if (!_types.TryGetValue(TypeName.Unescape(definition.FullName), out var found))
            return [];
        return
        [
            .. from type in found
               where name.AssemblyName is null || name.AssemblyName.Name == type.Assembly.Name
               where type.Assembly.Metadata.GetTypeDefinition(type.Handle).GetGenericParameters().Count == arguments.Count
               select new CompiledType(type.Assembly, type.Handle, arguments),
        ];
    }

    private IEnumerable<CompiledMethod> MethodsNamed(TypeName owner, string name) =>
        from type in TypesNamed(owner)
        from method in type.Definition.GetMethods()
        let candidate = new CompiledMethod(type, method)
        where candidate.Name == name
        select candidate;

    /// <summary>The last dot before an end that is not within the arguments of a type.</summary>
    private static int EndOfType(string name, int end)
    {
        var depth = 0;
        for (var i = end - 1; i > 0; i--)
        {
            switch (name[i])
            {
                case ']':
                    depth++;
                    break;
                case '[':
                    depth--;
                    break;
                case '.' when depth == 0:
                    // The name of a constructor begins with a dot.
                    return name[i - 1] == '.' ? i - 1 : i;
            }
        }
        return -1;
    }
}
