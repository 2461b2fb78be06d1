using Postrider.Flow;

namespace Postrider.Benchmarks.Flow;

/// <summary>1,000 items: a body that completes at once at 8, and one that waits a millisecond at 32; and 100,000 for the bytes.</summary>
internal static class CoreRows
{
    public const int Items = 1_000;
    public const int ManyItems = 100_000;
    public const long Sum = Items * (Items - 1L) / 2;

    public static readonly int[] Source = [.. Enumerable.Range(0, Items)];

    // Values whose sum fits the vectorized one of an int.
    public static readonly int[] ManySource = [.. Enumerable.Range(0, ManyItems).Select(static i => i & 1023)];

    private static readonly FlowOptions Eight = new() { MaxConcurrency = 8 };
    private static readonly FlowOptions Ordered = new() { MaxConcurrency = 8, Order = ResultOrder.Source };
    private static readonly FlowOptions ThirtyTwo = new() { MaxConcurrency = 32 };
    private static readonly FlowOptions ThirtyTwoOrdered = new() { MaxConcurrency = 32, Order = ResultOrder.Source };

    public static IEnumerable<FlowRow> All()
    {
        var marks = new Marks(Items);
        var manyMarks = new Marks(ManyItems);
        yield return Instant("select, instant body", async () => (await Source.SelectParallelAsync(Same, Eight)).Sum());
        yield return ForEach("for-each, instant body", marks, () => marks.Source.ForEachParallelAsync(marks.Put, Eight));
        yield return ForEach("for-each of an enumerable, instant body", marks, () => marks.Lazy().ForEachParallelAsync(marks.Put, Eight));
        yield return Instant("stream, instant body", () => SumAsync(Source.SelectParallelStreamAsync(Same, Eight)));
        yield return Instant("stream in order, instant body", () => SumAsync(Source.SelectParallelStreamAsync(Same, Ordered)));
        yield return Instant("stream of an async source, instant body", () => SumAsync(Async().SelectParallelStreamAsync(Same, Eight)));
        yield return Many("select, instant body, 100,000 items", async () => (await ManySource.SelectParallelAsync(Same, Eight)).Sum()) with { ResultBytes = (sizeof(int) * ManyItems) + 24 };
        yield return ForEach("for-each, instant body, 100,000 items", manyMarks, () => manyMarks.Source.ForEachParallelAsync(manyMarks.Put, Eight)) with { Items = ManyItems, Expected = ManyItems, ResultBytes = 0 };
        yield return Many("stream, instant body, 100,000 items", () => SumAsync(ManySource.SelectParallelStreamAsync(Same, Eight))) with { ResultBytes = 0 };
        yield return Waiting("select, 1 ms at 32", async () => (await Source.SelectParallelAsync(WaitAsync, ThirtyTwo)).Sum());
        yield return Waiting("stream, 1 ms at 32", () => SumAsync(Source.SelectParallelStreamAsync(WaitAsync, ThirtyTwo)));
        yield return Waiting("stream in order, 1 ms at 32", () => SumAsync(Source.SelectParallelStreamAsync(WaitAsync, ThirtyTwoOrdered)));
        yield return ForEach("for-each, 1 ms at 32", marks, () => marks.Source.ForEachParallelAsync(marks.PutLaterAsync, ThirtyTwo)) with { IsWaiting = true };
    }

    public static ValueTask<int> Same(int i, CancellationToken ct) => ValueTask.FromResult(i);

    public static async ValueTask<int> WaitAsync(int i, CancellationToken ct)
    {
        await Task.Delay(1, ct);
        return i;
    }

    public static async ValueTask<long> SumAsync(IAsyncEnumerable<int> results)
    {
        var sum = 0L;
        await foreach (var result in results)
            sum += result;
        return sum;
    }

    public static async IAsyncEnumerable<int> Async()
    {
        await Task.CompletedTask;
        for (var i = 0; i < Items; i++)
            yield return i;
    }

    private static FlowRow Instant(string row, Func<ValueTask<long>> run) => new("core", row, FlowRow.Ours, Items, run, Sum);

    private static FlowRow Many(string row, Func<ValueTask<long>> run) => new("core", row, FlowRow.Ours, ManyItems, run, ManySource.Sum());

    private static FlowRow Waiting(string row, Func<ValueTask<long>> run) => Instant(row, run) with { IsWaiting = true };

    private static FlowRow ForEach(string row, Marks marks, Func<Task> run) => new("core", row, FlowRow.Ours, Items, () => marks.CountAsync(run), Items);
}
