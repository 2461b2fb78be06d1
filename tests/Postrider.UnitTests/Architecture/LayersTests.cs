using System.Collections.Concurrent;

namespace Postrider.UnitTests.Architecture;

/// <summary>Holds the code to <c>docs/architecture.md</c>.</summary>
public sealed class LayersTests
{
    private static readonly LayerList Layers = LayerList.Parse(Repository.Read("docs/architecture.md"));
    private static readonly ConcurrentDictionary<string, Lazy<FolderGraph>> Graphs = [];

    public static TheoryData<string> Projects => [.. SourceProject.All.Select(project => project.Folder)];

    /// <summary>Those whose folders are layers: what is delivered.</summary>
    public static TheoryData<string> Layered => [.. SourceProject.All.Where(project => project.IsLibrary || project.IsApplication).Select(project => project.Folder)];

    /// <summary>Those whose packages this test program has: in them every name must resolve.</summary>
    public static TheoryData<string> Libraries => [.. SourceProject.All.Where(project => project.IsLibrary && project.Name != "Postrider.Generator.CodeFixes").Select(project => project.Folder)];

    [Fact]
    public void Every_project_is_listed_and_every_listed_one_exists()
        => Findings.None(Differences([.. SourceProject.All.Select(project => project.Folder)], [.. Layers.Projects], "project"));

    [Theory]
    [MemberData(nameof(Projects))]
    public void Project_references_only_what_the_list_allows(string folder)
        => Findings.None(SourceProject.At(folder).References.Except(Layers.References(folder)));

    [Theory]
    [MemberData(nameof(Layered))]
    public void Folders_form_no_cycle(string folder)
        => Findings.None(Graph(folder).BackReferences());

    [Theory]
    [MemberData(nameof(Layered))]
    public void Every_folder_is_listed_and_every_listed_one_exists(string folder)
    {
        var project = SourceProject.At(folder);

        var listed = Layers.Folders(folder);

        var folders = project.Sources.Select(source => project.LayerOf(Path.GetDirectoryName(source)!, listed)).Distinct();

        Findings.None(Differences([.. folders], listed, $"folder of {folder}"));
    }

    [Theory]
    [MemberData(nameof(Layered))]
    public void Folder_names_only_types_of_earlier_layers(string folder)
    {
        var project = SourceProject.At(folder);
        var order = Layers.Folders(folder);

        var upwards = Graph(folder).Edges.Where(edge => Rank(edge.From) < Rank(edge.To));

        Findings.None(upwards);

        // What is linked lies below every folder: it refers to none of them.
        int Rank(string name) => project.Owns(name) ? order.IndexOf(project.LayerOf(name, order)) : -1;
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Every_name_resolves_so_that_no_edge_is_missed(string folder)
        => Findings.None(NamedTypes.Of(SourceProject.At(folder).Compilation).Unresolved);

    [Theory]
    [MemberData(nameof(Layered))]
    public void Every_file_parses(string folder)
        => Findings.None(SourceProject.At(folder).Compilation.SyntaxTrees.SelectMany(tree => tree.GetDiagnostics()).Select(found => found.ToString()));

    private static FolderGraph Graph(string folder)
        => Graphs.GetOrAdd(folder, name => new(() => FolderGraph.Of(SourceProject.At(name).Compilation))).Value;

    private static IEnumerable<string> Differences(IReadOnlyCollection<string> there, IReadOnlyCollection<string> listed, string what)
        => there.Except(listed).Select(name => $"{name}: a {what} that docs/architecture.md does not list.")
            .Concat(listed.Except(there).Select(name => $"{name}: docs/architecture.md lists it, and there is no such {what}."));
}
