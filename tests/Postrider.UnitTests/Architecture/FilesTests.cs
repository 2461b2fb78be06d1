using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>What every source file keeps to.</summary>
public sealed partial class FilesTests
{
    private const int MaxLines = 500;

    // Libraries whose public types stand in the project's own namespace, whatever folder their files are in.
    private static readonly HashSet<string> Rooted =
    [
        "Postrider.Rpc", "Postrider.Rpc.Grpc", "Postrider.Rpc.Nats", "Postrider.Rpc.Newtonsoft", "Postrider.Rpc.Protobuf", "Postrider.Rpc.Server", "Postrider.Rpc.Soap",
        "Postrider.Rpc.Soap.Server", "Postrider.Serialization", "Postrider.Serialization.Newtonsoft", "Postrider.Serialization.Protobuf",
    ];

    private static readonly string[] Everything =
        [.. Repository.ProductFolders.Append("tests").SelectMany(folder => Repository.Files(folder, ".cs"))];

    [Fact]
    public void File_has_at_most_500_lines()
    {
        var tooLong = Everything.Select(file => (file, lines: Lines(file).Length)).Where(found => found.lines > MaxLines);

        Findings.None(tooLong);
    }

    // A document, or the program and the feature whose behaviour it is: the decision is docs/adr/0002-reference-program.md.
    [Fact]
    public void Source_of_a_behaviour_is_a_document_or_a_program_but_no_function_of_it()
    {
        var naming = from file in Everything
                     from Match found in ForeignFunction().Matches(Repository.Read(file))
                     select $"{file}: {found.Value}";

        Findings.None(naming);
    }

    [Fact]
    public void No_file_hides_code_in_a_region()
    {
        var hiding = Everything.Where(file => Lines(file).Any(line => line.TrimStart().StartsWith("#region", StringComparison.Ordinal)));

        Findings.None(hiding);
    }

    [Fact]
    public void File_holds_one_public_type_and_bears_its_name()
        => Findings.None(SourceProject.All.Where(project => !project.IsSample).SelectMany(project => project.Sources).SelectMany(WronglyNamed));

    [Fact]
    public void Namespace_is_the_folder_or_for_public_types_one_above_it()
    {
        var wrong = from project in SourceProject.All
                    from source in project.Sources
                    let declared = Declared(source)
                    where declared is not null && declared != project.NamespaceOf(source) && !IsForTheCompiler(declared)
                    where PublicTypes(source).Length == 0 || !project.PublicNamespacesOf(source).Contains(declared)
                    select $"{source} declares {declared}, its folder is {project.NamespaceOf(source)}";

        Findings.None(wrong);
    }

    [Fact]
    public void Public_types_of_a_listed_library_stand_in_its_own_namespace()
    {
        var wrong = from project in SourceProject.All
                    where Rooted.Contains(project.Name)
                    from source in project.Sources
                    where PublicTypes(source).Length > 0 && Declared(source) != project.RootNamespace
                    select $"{source} declares {Declared(source)} and has to declare {project.RootNamespace}";

        Findings.None(wrong);
    }

    [Fact]
    public void No_project_links_a_source_file()
    {
        var linking = Repository.ProductFolders.Append("tests").SelectMany(folder => Repository.Files(folder, ".csproj"))
            .Where(project => Repository.Read(project).Contains("<Compile Include=\"../", StringComparison.Ordinal));

        Findings.None(linking);
    }

    [Fact]
    public void Shared_source_of_generators_stands_in_their_common_namespace()
    {
        var wrong = Repository.Files("src/Generators/Shared", ".cs")
            .Where(file => Declared(file) is not "Postrider.Generators" && !IsForTheCompiler(Declared(file) ?? ""));

        Findings.None(wrong);
    }

    [Fact]
    public void Hot_path_says_so_in_its_first_line()
    {
        var silent = HotPaths().Where(file => !Lines(file)[0].StartsWith("// Hot path: ", StringComparison.Ordinal));

        Findings.None(silent);
    }

    [Fact]
    public void File_that_says_it_is_a_hot_path_is_listed()
    {
        var marked = Everything.Where(file => !file.StartsWith("tests/", StringComparison.Ordinal) && Lines(file)[0].StartsWith("// Hot path:", StringComparison.Ordinal));

        Findings.None(marked.Except(HotPaths()));
    }

    // A type that the compiler looks for by its full name and that netstandard2.0 does not have.
    private static bool IsForTheCompiler(string declared) => declared == "System.Runtime.CompilerServices";

    private static IEnumerable<string> WronglyNamed(string source)
    {
        var types = PublicTypes(source);
        var name = Path.GetFileNameWithoutExtension(source);
        if (types.Length > 1)
            yield return $"{source} holds {string.Join(", ", types)}";
        else if (types.Length == 1 && types[0] != name && types[0] + "OfT" != name)
            yield return $"{source} holds {types[0]}";
    }

    private static string[] PublicTypes(string source)
        => [.. CSharpSyntaxTree.ParseText(Repository.Read(source), CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview))
            .GetCompilationUnitRoot().DescendantNodes(node => node is not TypeDeclarationSyntax).OfType<MemberDeclarationSyntax>()
            .Where(member => member.Modifiers.Any(word => word.IsKind(SyntaxKind.PublicKeyword))).Select(Name).OfType<string>().Distinct()];

    // The variants of one generic type may share a file, or have one each: Name.cs, NameOfT.cs.
    private static string? Name(MemberDeclarationSyntax member) => member switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.Text,
        DelegateDeclarationSyntax type => type.Identifier.Text,
        _ => null,
    };

    private static string? Declared(string source)
        => Lines(source).FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal))?["namespace ".Length..].TrimEnd(';', ' ', '{');

    /// <summary>The files in the first column of the page's table.</summary>
    private static string[] HotPaths()
        => [.. Lines("docs/hot-paths.md").Where(line => line.StartsWith("| `", StringComparison.Ordinal)).Select(line => line.Split('`')[1])];

    private static string[] Lines(string file) => Repository.Read(file).TrimEnd('\n').Split('\n');

    // A name in camel case after the program's, or a file of it.
    [GeneratedRegex(@"Source:[^.\n]*nats-server(?:,|'s)\s+(?:///\s*)?(?:<c>)?(?!JetStream\b)(?:[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w*)|Source:[^<\n]*\.go\b")]
    private static partial Regex ForeignFunction();
}
