namespace Postrider.Benchmarks.Dispatch;

/// <summary>Finds the rows: ours, the limits, and those of the peers that the program has.</summary>
internal static class BenchRows
{
    private static readonly IReadOnlyList<Type> s_types = PeerTypes.All;

    private static readonly Type[] s_peers = [.. s_types.Where(t => t.IsValueType && typeof(IPeer).IsAssignableFrom(t))];

    /// <summary>Whether the program has peers.</summary>
    internal static bool HasPeers => s_peers.Any(p => p != typeof(NoPeer));

    internal static IEnumerable<BenchRow> All()
        => s_types.Where(t => t.IsSubclassOf(typeof(BenchRow)) && !t.IsAbstract).SelectMany(Close)
            .Select(t => (BenchRow)Activator.CreateInstance(t, nonPublic: true)!)
            .Where(r => r.IsPossible)
            .OrderBy(r => r.Row, StringComparer.Ordinal)
            .ThenBy(Rank)
            .ThenBy(r => r.Subject, StringComparer.Ordinal);

    /// <summary>The peers that a row would have if their assemblies were there.</summary>
    internal static IEnumerable<string> AbsentPeers(string row, IEnumerable<string> present)
        => s_types.Where(t => t.IsGenericTypeDefinition && !t.IsAbstract && t.IsSubclassOf(typeof(BenchRow)))
            .Select(t => (BenchRow)Activator.CreateInstance(t.MakeGenericType(typeof(NoPeer)), nonPublic: true)!)
            .Any(r => r.Row == row)
            ? BenchLine.Peers.Where(p => !s_types.Any(t => t.Namespace?.StartsWith("Peers." + p, StringComparison.Ordinal) == true)).Except(present)
            : [];

    // A peer's row is one class for all of them, closed for each: the calls are those of a program written for that peer.
    private static IEnumerable<Type> Close(Type row)
        => row.IsGenericTypeDefinition ? s_peers.Where(p => p != typeof(NoPeer)).Select(p => row.MakeGenericType(p)) : [row];

    private static int Rank(BenchRow row) => row.Subject switch
    {
        BenchLine.Ours => 0,
        BenchLine.Bare => 1,
        _ => 2,
    };
}
