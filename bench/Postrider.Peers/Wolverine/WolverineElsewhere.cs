using Postrider.Benchmarks.Dispatch;

namespace Peers.Wolverine;

/// <summary>Stands in the tables for Wolverine, whose rows run in a program of its own.</summary>
internal struct WolverineElsewhere : IPeer
{
    public static string Name => "Wolverine";

    public static IReadOnlyCollection<string> Missing => ["query, scoped handler, scope made"];

    // Built beside this program, in the same configuration.
    public static string Program { get; } = Path.GetFullPath(Path.Combine(
        AppContext.BaseDirectory, "..", "..", "..", "..", "Postrider.Peers.Wolverine", "bin", "Release", "net10.0", "Postrider.Peers.Wolverine"));

    public readonly void Setup(string row) => throw Elsewhere();

    public readonly ValueTask Command(int id) => throw Elsewhere();

    public readonly ValueTask<int> Query(int id) => throw Elsewhere();

    public readonly ValueTask<int> Piped(int id) => throw Elsewhere();

    public readonly ValueTask Note2(int id) => throw Elsewhere();

    public readonly ValueTask Note3(int id) => throw Elsewhere();

    public readonly ValueTask<int> Suspending(int id) => throw Elsewhere();

    public readonly IAsyncEnumerable<int> Numbers(int count) => throw Elsewhere();

    public readonly ValueTask<int> InScope(int id) => throw Elsewhere();

    private static InvalidOperationException Elsewhere() => new($"Wolverine runs in {Program}.");
}
