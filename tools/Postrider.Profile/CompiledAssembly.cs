using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Postrider.Profile;

/// <summary>A compiled assembly, open for reading.</summary>
public sealed class CompiledAssembly : IDisposable
{
    private readonly PEReader _file;

    private CompiledAssembly(PEReader file, MetadataReader metadata)
    {
        _file = file;
        Metadata = metadata;
        Name = metadata.GetString(metadata.GetAssemblyDefinition().Name);
    }

    /// <summary>Its simple name.</summary>
    public string Name { get; }

    /// <summary>Its descriptions of types and methods.</summary>
    public MetadataReader Metadata { get; }

    /// <summary>Opens a file.</summary>
    /// <param name="path">The file's path.</param>
    /// <returns>The assembly, or null if the file is not a .NET assembly.</returns>
    public static CompiledAssembly? Open(string path)
    {
        var file = new PEReader(File.OpenRead(path), PEStreamOptions.PrefetchEntireImage);
        try
        {
            if (file.HasMetadata && file.GetMetadataReader() is { IsAssembly: true } metadata)
                return new CompiledAssembly(file, metadata);
        }
        catch (BadImageFormatException)
        {
            // A native library, which also has this extension on Windows.
        }
        file.Dispose();
        return null;
    }

    /// <summary>The IL of a method.</summary>
    /// <param name="method">A method of this assembly with a body.</param>
    /// <returns>Its body.</returns>
    public MethodBodyBlock Body(MethodDefinition method) => _file.GetMethodBody(method.RelativeVirtualAddress);

    /// <summary>The full name of a type: namespace, name, and before a nested type those around it with <c>+</c>.</summary>
    /// <param name="handle">A type of this assembly.</param>
    /// <returns>The name.</returns>
    public string FullName(TypeDefinitionHandle handle)
    {
        var type = Metadata.GetTypeDefinition(handle);
        var name = Metadata.GetString(type.Name);
        if (type.GetDeclaringType() is { IsNil: false } outer)
            return $"{FullName(outer)}+{name}";
        var space = Metadata.GetString(type.Namespace);
        return space.Length == 0 ? name : $"{space}.{name}";
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
