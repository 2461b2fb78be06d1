using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>Which types of one folder name, create or use members of which others of the same folder, as the compiler
/// resolves the names. A nested type counts as part of the one around it.</summary>
internal sealed class TypeGraph
{
    private readonly SortedDictionary<string, SortedDictionary<string, SortedSet<string>>> _folders = new(StringComparer.Ordinal);

    private TypeGraph(CSharpCompilation compilation)
    {
        var names = NamedTypes.Of(compilation);
        foreach (var type in names.Declared)
            Uses(type);

        foreach (var (_, type, used) in names.All)
        {
            var outer = Outermost(used);
            if (type is not null && FolderOf(outer) == FolderOf(type))
                Uses(type).Add(outer.MetadataName);
        }
    }

    /// <summary>The folders that have types, in order.</summary>
    public IEnumerable<string> Folders => _folders.Keys;

    public static TypeGraph Of(CSharpCompilation compilation) => new(compilation);

    /// <summary>How many types a folder has.</summary>
    public int Count(string name) => _folders[name].Count;

    /// <summary>The largest set of a folder's types that all lead to one another, in order; empty where none does.</summary>
    public IReadOnlyList<string> LargestCycle(string name)
        => Cycles(_folders[name]).OrderByDescending(cycle => cycle.Count).FirstOrDefault() ?? [];

    // Tarjan's strongly connected components; a single type is no cycle.
    private static List<IReadOnlyList<string>> Cycles(SortedDictionary<string, SortedSet<string>> types)
    {
        var found = new List<IReadOnlyList<string>>();
        var numbers = new Dictionary<string, int>();
        var lowest = new Dictionary<string, int>();
        var path = new Stack<string>();
        var onPath = new HashSet<string>();
        foreach (var type in types.Keys.Where(type => !numbers.ContainsKey(type)))
            Visit(type);

        return found;

        void Visit(string type)
        {
            numbers[type] = lowest[type] = numbers.Count;
            path.Push(type);
            onPath.Add(type);
            foreach (var next in types[type].Where(types.ContainsKey))
            {
                if (!numbers.TryGetValue(next, out var number))
                {
                    Visit(next);
                    lowest[type] = Math.Min(lowest[type], lowest[next]);
                }
                else if (onPath.Contains(next))
                {
                    lowest[type] = Math.Min(lowest[type], number);
                }
            }

            if (lowest[type] == numbers[type])
                Close(type);
        }

        void Close(string type)
        {
            var cycle = new List<string>();
            string last;
            do
            {
                last = path.Pop();
                onPath.Remove(last);
                cycle.Add(last);
            }
            while (last != type);

            if (cycle.Count > 1)
                found.Add([.. cycle.Order(StringComparer.Ordinal)]);
        }
    }

    private SortedSet<string> Uses(INamedTypeSymbol type)
    {
        var name = FolderOf(type);
        if (!_folders.TryGetValue(name, out var types))
            _folders[name] = types = new(StringComparer.Ordinal);

        if (!types.TryGetValue(type.MetadataName, out var uses))
            types[type.MetadataName] = uses = new(StringComparer.Ordinal);

        return uses;
    }

    // A type in several files belongs to the folder of the first.
    private static string FolderOf(INamedTypeSymbol type) => FolderGraph.FolderOf(type.DeclaringSyntaxReferences[0].SyntaxTree);

    private static INamedTypeSymbol Outermost(INamedTypeSymbol type)
    {
        while (type.ContainingType is { } outer)
            type = outer;

        return type;
    }
}
