using Postrider.Flow;

namespace Postrider.Benchmarks.Flow;

/// <summary>Batches at 4: with 5 ms a batch, without work, as array and stream, and one by one.</summary>
internal static class BatchRows
{
    public static readonly int[] Counts = [5_000, 10_000];
    public static readonly int[] Sizes = [100, 500, 1_000];

    private static readonly FlowOptions Four = new() { MaxConcurrency = 4 };

    public static IEnumerable<FlowRow> All()
    {
        foreach (var count in Counts)
        {
            var source = Enumerable.Range(0, count).ToArray();
            foreach (var size in Sizes)
            {
                yield return new("batches", Name(count, size), FlowRow.Ours, count,
                    () => source.BatchParallelAsync(size, static async (batch, ct) => { await Task.Delay(5, ct); return batch.Count; }, Four), IsWaiting: true);
                yield return new("batches", Name(count, size) + ", stream", FlowRow.Ours, count,
                    () => CoreRows.Read(source.ToAsyncEnumerable().BatchParallelStreamAsync(size, static async (batch, ct) => { await Task.Delay(5, ct); return batch.Count; }, options: Four)), IsWaiting: true);
            }
        }
        var few = Enumerable.Range(0, 500).ToArray();
        yield return new("batches", "500 one by one, 5 ms", FlowRow.Ours, few.Length, () => few.SelectParallelAsync(static async (i, ct) => { await Task.Delay(5, ct); return i; }, Four), IsWaiting: true);
        var many = Enumerable.Range(0, 100_000).ToArray();
        yield return new("batches", "batches of 100, no work", FlowRow.Ours, many.Length, () => many.BatchParallelAsync(100, static (batch, _) => ValueTask.FromResult(batch.Count), Four));
    }

    public static string Name(int count, int size) => $"{count} in batches of {size}, 5 ms";
}
