using Postrider.Flow;
using Postrider.Flow.Sources;

namespace Postrider.Benchmarks.Flow;

/// <summary>Batches at 4: with 5 ms a batch, without work, as array and stream, and one by one.</summary>
internal static class BatchRows
{
    public const int ManyItems = 100_000;
    public const int ManySize = 100;

    public static readonly int[] Counts = [5_000, 10_000];
    public static readonly int[] Sizes = [100, 500, 1_000];
    public static readonly int[] Many = [.. Enumerable.Range(0, ManyItems)];

    private static readonly FlowOptions Four = new() { MaxConcurrency = 4 };

    public static IEnumerable<FlowRow> All(bool quick)
    {
        foreach (var count in Counts)
        {
            int[] source = [.. Enumerable.Range(0, count)];
            foreach (var size in Sizes)
            {
                yield return Row(Name(count, size), source, async () => (await source.BatchParallelAsync(size, SumLaterAsync, Four)).Sum());
                yield return Row(Name(count, size) + ", stream", source, () => CoreRows.SumAsync(source.ToAsyncEnumerable().BatchParallelStreamAsync(size, SumLaterAsync, options: Four)));
            }
        }
        foreach (var count in OneByOne(quick))
        {
            int[] source = [.. Enumerable.Range(0, count)];
            yield return Row(Name(count, 1), source, async () => (await source.SelectParallelAsync(LaterAsync, Four)).Sum());
        }
        yield return new("batches", $"batches of {ManySize}, no work", FlowRow.Ours, ManyItems,
            static async () => (await Many.BatchParallelAsync(ManySize, static (batch, _) => ValueTask.FromResult(batch.Count), Four)).Sum(), ManyItems);
    }

    /// <summary>5 ms an item at 4 in flight is 10 and 20 seconds an operation here: not for a quick run.</summary>
    public static int[] OneByOne(bool quick) => quick ? [500] : Counts;

    public static string Name(int count, int size) => size == 1 ? $"{count} one by one, 5 ms" : $"{count} in batches of {size}, 5 ms";

    public static async ValueTask<int> LaterAsync(int item, CancellationToken ct)
    {
        await Task.Delay(5, ct);
        return item;
    }

    private static FlowRow Row(string name, int[] source, Func<ValueTask<long>> run) => new("batches", name, FlowRow.Ours, source.Length, run, source.Sum(), IsWaiting: true);

    private static async ValueTask<int> SumLaterAsync(Batch<int> batch, CancellationToken ct)
    {
        await Task.Delay(5, ct);
        var sum = 0;
        foreach (var item in batch.Span)
            sum += item;
        return sum;
    }
}
