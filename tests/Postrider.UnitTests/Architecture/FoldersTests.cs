using System.Collections.Concurrent;

namespace Postrider.UnitTests.Architecture;

/// <summary>Folders stay small enough to read, and their types do not all know one another.</summary>
/// <remarks>A folder over a limit is listed with its number, which may only go down: whoever lowers it lowers the number here.</remarks>
public sealed class FoldersTests
{
    private const int MaxTypes = 60;
    private const int MaxCycle = 15;

    private static readonly ConcurrentDictionary<string, Lazy<TypeGraph>> Graphs = [];

    private static readonly Dictionary<string, int> TypesOver = [];

    private static readonly Dictionary<string, int> CyclesOver = [];

    public static TheoryData<string> Layered => LayersTests.Layered;

    [Theory]
    [MemberData(nameof(Layered))]
    public void Folder_holds_at_most_60_types(string folder)
    {
        var graph = Graph(folder);

        var wrong = from name in graph.Folders
                    let types = graph.Count(name)
                    let limit = TypesOver.GetValueOrDefault(name, MaxTypes)
                    where types > limit || (types < limit && TypesOver.ContainsKey(name))
                    select $"{name} holds {types} types, {limit} are allowed";

        Findings.None(wrong);
    }

    [Theory]
    [MemberData(nameof(Layered))]
    public void At_most_15_types_of_a_folder_know_one_another(string folder)
    {
        var graph = Graph(folder);

        var wrong = from name in graph.Folders
                    let cycle = graph.LargestCycle(name)
                    let limit = CyclesOver.GetValueOrDefault(name, MaxCycle)
                    where cycle.Count > limit || (cycle.Count < limit && CyclesOver.ContainsKey(name))
                    select $"{name}: {cycle.Count} types, {limit} are allowed: {string.Join(", ", cycle)}";

        Findings.None(wrong);
    }

    [Fact]
    public void Every_exception_is_a_folder()
    {
        var known = Layered.Select(row => row.Data).SelectMany(folder => Graph(folder).Folders).ToHashSet();

        Findings.None(TypesOver.Keys.Concat(CyclesOver.Keys).Except(known));
    }

    private static TypeGraph Graph(string folder)
        => Graphs.GetOrAdd(folder, name => new(() => TypeGraph.Of(SourceProject.At(name).Compilation))).Value;
}
