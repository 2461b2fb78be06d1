using Postrider.Flow;

namespace Postrider.Benchmarks.Flow;

/// <summary>1,000 items: a body that completes at once at 8, and one that waits a millisecond at 32.</summary>
internal static class CoreRows
{
    public const int Items = 1_000;

    public static readonly int[] Source = [.. Enumerable.Range(0, Items)];

    private static readonly FlowOptions Eight = new() { MaxConcurrency = 8 };
    private static readonly FlowOptions Ordered = new() { MaxConcurrency = 8, Order = ResultOrder.Source };
    private static readonly FlowOptions ThirtyTwo = new() { MaxConcurrency = 32 };
    private static readonly FlowOptions ThirtyTwoOrdered = new() { MaxConcurrency = 32, Order = ResultOrder.Source };

    public static IEnumerable<FlowRow> All() =>
    [
        Instant("select, instant body", () => Source.SelectParallelAsync(static (i, _) => ValueTask.FromResult(i), Eight)),
        Instant("for-each, instant body", () => Source.ForEachParallelAsync(static (_, _) => default, Eight)),
        Instant("for-each of an enumerable, instant body", () => Lazy().ForEachParallelAsync(static (_, _) => default, Eight)),
        Instant("stream, instant body", () => Read(Source.SelectParallelStreamAsync(static (i, _) => ValueTask.FromResult(i), Eight))),
        Instant("stream in order, instant body", () => Read(Source.SelectParallelStreamAsync(static (i, _) => ValueTask.FromResult(i), Ordered))),
        Instant("stream of an async source, instant body", () => Read(Async().SelectParallelStreamAsync(static (i, _) => ValueTask.FromResult(i), Eight))),
        Waiting("select, 1 ms at 32", () => Source.SelectParallelAsync(WaitAsync, ThirtyTwo)),
        Waiting("stream, 1 ms at 32", () => Read(Source.SelectParallelStreamAsync(WaitAsync, ThirtyTwo))),
        Waiting("stream in order, 1 ms at 32", () => Read(Source.SelectParallelStreamAsync(WaitAsync, ThirtyTwoOrdered))),
        Waiting("for-each, 1 ms at 32", () => Source.ForEachParallelAsync(static async (_, ct) => await Task.Delay(1, ct), ThirtyTwo)),
    ];

    public static async ValueTask<int> WaitAsync(int i, CancellationToken ct)
    {
        await Task.Delay(1, ct);
        return i;
    }

    public static async ValueTask RestAsync(int i, CancellationToken ct) => await Task.Delay(1, ct);

    public static async Task Read<T>(IAsyncEnumerable<T> results)
    {
        await foreach (var _ in results)
        {
        }
    }

    public static IEnumerable<int> Lazy()
    {
        for (var i = 0; i < Items; i++)
            yield return i;
    }

    public static async IAsyncEnumerable<int> Async()
    {
        await Task.CompletedTask;
        for (var i = 0; i < Items; i++)
            yield return i;
    }

    private static FlowRow Instant(string row, Func<Task> run) => new("core", row, FlowRow.Ours, Items, run);

    private static FlowRow Waiting(string row, Func<Task> run) => new("core", row, FlowRow.Ours, Items, run, IsWaiting: true);
}
