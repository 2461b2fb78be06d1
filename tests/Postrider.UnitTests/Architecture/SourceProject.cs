using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>A project of the repository, read from its folder.</summary>
internal sealed class SourceProject
{
    private const string ImplicitUsings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;
        """;

    // Everything that this test program can load: the framework, the packages and the other projects' assemblies.
    private static readonly Lazy<IReadOnlyList<MetadataReference>> Loadable = new(() =>
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(path => MetadataReference.CreateFromFile(path))]);

    private readonly XDocument _file;
    private readonly Lazy<CSharpCompilation> _compilation;

    private SourceProject(string path)
    {
        _file = XDocument.Parse(Repository.Read(path));
        Folder = path[..path.LastIndexOf('/')];
        Name = Path.GetFileNameWithoutExtension(path);
        RootNamespace = Property("RootNamespace") ?? Name;
        AssemblyName = Property("AssemblyName") ?? Name;

        // A peer's rows are written as its users would, under its name.
        Sources = [.. Repository.Files(Folder, ".cs").Where(source => !Folder.StartsWith("bench/", StringComparison.Ordinal) || !(source.Contains("/Peers/", StringComparison.Ordinal) || Folder.StartsWith("bench/Postrider.Peers", StringComparison.Ordinal)))];
        Linked = Name.EndsWith(".Generator", StringComparison.Ordinal) ? Repository.Files("src/Generators/Shared", ".cs") : [];
        _compilation = new(Compile);
    }

    /// <summary>Path from the root: <c>src/Postrider.Wire</c>.</summary>
    public string Folder { get; }

    public string Name { get; }

    public string RootNamespace { get; }

    public string AssemblyName { get; }

    /// <summary>Paths of its sources from the root.</summary>
    public IReadOnlyList<string> Sources { get; }

    /// <summary>Paths from the root of the sources that are compiled into it as well: what all generators share (Directory.Build.targets).</summary>
    public IReadOnlyList<string> Linked { get; }

    /// <summary>Whether users install it as a package.</summary>
    public bool IsLibrary => Folder.StartsWith("src/", StringComparison.Ordinal) || Folder.StartsWith("adapters/", StringComparison.Ordinal);

    /// <summary>Whether users run it.</summary>
    public bool IsApplication => Folder.StartsWith("apps/", StringComparison.Ordinal);

    /// <summary>Whether it is there to be read: a sample may keep in one file what is read together.</summary>
    public bool IsSample => Folder.StartsWith("samples/", StringComparison.Ordinal);

    /// <summary>Names of the projects it references.</summary>
    public IEnumerable<string> References
        => _file.Descendants("ProjectReference").Select(item => Path.GetFileNameWithoutExtension(item.Attribute("Include")!.Value.Replace('\\', '/')));

    /// <summary>Its sources, compiled as far as resolving names needs it, with what protoc has written; what source generators add is missing.</summary>
    public CSharpCompilation Compilation => _compilation.Value;

    /// <summary>All projects of the product, sorted by folder; without tests.</summary>
    public static IReadOnlyList<SourceProject> All { get; } =
        [.. Repository.ProductFolders.SelectMany(folder => Repository.Files(folder, ".csproj")).Select(path => new SourceProject(path))];

    public static SourceProject At(string folder) => All.Single(project => project.Folder == folder);

    /// <summary>The namespace that a file must declare: the project's, and the folders down to it.</summary>
    public string NamespaceOf(string source)
    {
        var inner = Path.GetDirectoryName(Path.GetRelativePath(Folder, source))!;
        return inner.Length == 0 ? RootNamespace : $"{RootNamespace}.{inner.Replace('\\', '/').Replace('/', '.')}";
    }

    /// <summary>The namespaces that a public type of a file may stand in: its folder's, or one above it up to the project's own.</summary>
    public IEnumerable<string> PublicNamespacesOf(string source)
    {
        for (var name = NamespaceOf(source); name.Length >= RootNamespace.Length; name = name[..name.LastIndexOf('.')])
            yield return name;
    }

    /// <summary>Whether a folder, given from the root, is the project's: one of a linked source is another's.</summary>
    public bool Owns(string folder) => folder == Folder || folder.StartsWith(Folder + "/", StringComparison.Ordinal);

    /// <summary>The layer of a folder: the innermost of <paramref name="listed"/> around it, otherwise the first folder below the
    /// project's own, or <c>.</c>.</summary>
    /// <param name="path">A folder of the project, from the root.</param>
    /// <param name="listed">Folders, by their path from the project's own: <c>Streams/Publishing</c>.</param>
    public string LayerOf(string path, IReadOnlyCollection<string> listed)
    {
        if (path.Length <= Folder.Length)
            return ".";

        var folder = path[(Folder.Length + 1)..].Replace('\\', '/');
        for (var around = folder; around.Length > 0; around = around[..Math.Max(0, around.LastIndexOf('/'))])
        {
            if (listed.Contains(around))
                return around;
        }

        return folder.Split('/')[0];
    }

    private CSharpCompilation Compile()
    {
        var options = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview);
        List<SyntaxTree> trees = [.. Sources.Concat(Linked).Select(source => CSharpSyntaxTree.ParseText(Repository.Read(source), options, source))];
        if (Property("ImplicitUsings") != "disable")
            trees.Add(CSharpSyntaxTree.ParseText(ImplicitUsings, options));

        foreach (var item in _file.Descendants("Using"))
            trees.Add(CSharpSyntaxTree.ParseText($"global using {item.Attribute("Include")!.Value};", options));

        trees.AddRange(Protobuf().Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, $"{Folder}/{Path.GetFileName(file)}")));

        return CSharpCompilation.Create(
            AssemblyName,
            trees,
            Loadable.Value.Where(reference => Path.GetFileNameWithoutExtension(reference.Display) != AssemblyName),
            // Not nullable: who refers to whom does not depend on it, and its analysis takes most of the time.
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    }

    // What protoc wrote when the project was built.
    private IEnumerable<string> Protobuf()
        => _file.Descendants("Protobuf").Select(item => Path.GetFileNameWithoutExtension(item.Attribute("Include")!.Value))
            .SelectMany(name => Directory.EnumerateFiles(Path.Combine(Repository.Root, Folder, "obj"), $"{char.ToUpperInvariant(name[0])}{name[1..]}*.cs", SearchOption.AllDirectories))
            .DistinctBy(Path.GetFileName);

    private string? Property(string name) => _file.Descendants(name).FirstOrDefault()?.Value;
}
