using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.UnitTests.Flow.Operators;

public class StreamTests
{
    private static readonly FlowOptions Four = new() { MaxConcurrency = 4 };

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(1_000, 1)]
    [InlineData(1_000, 7)]
    [InlineData(5_000, 64)]
    [InlineData(5_000, 1_024)]
    public async Task Every_result_comes_once(int count, int window)
    {
        var seen = new List<int>();

        await foreach (var i in Numbers(count).SelectParallelStreamAsync(Body, Four with { Window = window }))
            seen.Add(i);

        seen.Sort();
        Assert.Equal(Enumerable.Range(0, count), seen);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1_000, 1)]
    [InlineData(1_000, 3)]
    [InlineData(5_000, 64)]
    [InlineData(5_000, 1_024)]
    public async Task Source_order_is_kept(int count, int window)
    {
        var seen = new List<int>();

        await foreach (var i in Numbers(count).SelectParallelStreamAsync(Body, Four with { Window = window, Order = ResultOrder.Source }))
            seen.Add(i);

        Assert.Equal(Enumerable.Range(0, count), seen);
    }

    // Failures may end after the reader has checked for results and before it waits. About 1 % of these runs hung when they did.
    [Fact]
    public async Task Failures_that_fill_the_window_hold_up_neither_reader_nor_operator()
    {
        var skip = Four with { Window = 2, Order = ResultOrder.Source, Errors = ErrorMode.Skip };

        for (var run = 0; run < 3_000; run++)
        {
            Assert.Equal([5, 11], await ReadAsync().WaitAsync(Eventually.Patience, TestContext.Current.CancellationToken));
        }

        async Task<List<int>> ReadAsync()
        {
            var seen = new List<int>();
            await foreach (var i in Async(12).SelectParallelStreamAsync(FailMostlyAsync, skip))
                seen.Add(i);
            return seen;
        }

        static async ValueTask<int> FailMostlyAsync(int item, CancellationToken ct)
        {
            await Task.Yield();
            return item % 6 == 5 ? item : throw new InvalidOperationException();
        }
    }

    [Fact]
    public async Task Break_ends_at_once_though_nobody_reads_on()
    {
        var taken = 0;

        await foreach (var i in Async(5_000).SelectParallelStreamAsync(async (i, ct) => { await Task.Delay(1, ct); return i; }, Four))
        {
            if (++taken == 3)
                break;
        }

        Assert.Equal(3, taken);
    }

    [Fact]
    public async Task Ordered_stream_runs_ahead_no_further_than_its_window()
    {
        var gate = new TaskCompletionSource();
        int started = 0;

        var stream = Numbers(100_000).SelectParallelStreamAsync(
            async (i, _) =>
            {
                Interlocked.Increment(ref started);
                if (i == 0)
                    await gate.Task;
                return i;
            },
            Four with { Order = ResultOrder.Source, Window = 256 });
        await using var reader = stream.GetAsyncEnumerator();
        var first = reader.MoveNextAsync();
        await Task.Delay(50);
        var ahead = Volatile.Read(ref started);
        gate.SetResult();

        Assert.True(await first);
        Assert.InRange(ahead, 1, 256);
    }

    [Fact]
    public async Task Unordered_stream_gives_the_quick_before_the_slow()
    {
        var gate = new TaskCompletionSource();
        var seen = new List<int>();

        await foreach (var i in Numbers(10).SelectParallelStreamAsync(async (i, _) => { if (i == 0) await gate.Task; return i; }, Four))
        {
            seen.Add(i);
            if (seen.Count == 9)
                gate.SetResult();
        }

        Assert.Equal(0, seen[^1]);
        Assert.Equal(Enumerable.Range(1, 9), seen[..^1].Order());
    }

    [Fact]
    public async Task Slow_reader_holds_the_source_back()
    {
        var started = 0;
        await using var reader = Numbers(10_000)
            .SelectParallelStreamAsync(async (i, _) => { Interlocked.Increment(ref started); await Task.Yield(); return i; }, Four with { Window = 32 })
            .GetAsyncEnumerator();

        for (var i = 0; i < 10; i++)
            Assert.True(await reader.MoveNextAsync());
        await Task.Delay(50);

        Assert.InRange(Volatile.Read(ref started), 10, 42);
    }

    [Fact]
    public async Task Failure_comes_after_the_results_that_are_there()
    {
        var seen = new List<int>();

        await Assert.ThrowsAsync<FormatException>(async () =>
        {
            await foreach (var i in Numbers(10).SelectParallelStreamAsync(
                (i, _) => i == 5 ? throw new FormatException() : ValueTask.FromResult(i), Four with { Order = ResultOrder.Source }))
                seen.Add(i);
        });

        Assert.Equal([0, 1, 2, 3, 4], seen.Take(5));
        Assert.DoesNotContain(5, seen);
    }

    [Fact]
    public async Task Skip_leaves_no_hole_in_an_ordered_stream()
    {
        var seen = new List<int>();

        await foreach (var i in Numbers(3_000).SelectParallelStreamAsync(
            async (i, _) => { if (i % 3 == 0) await Task.Yield(); return i % 5 == 0 ? throw new FormatException() : i; },
            Four with { Order = ResultOrder.Source, Errors = ErrorMode.Skip, Window = 16 }))
            seen.Add(i);

        Assert.Equal(Enumerable.Range(0, 3_000).Where(i => i % 5 != 0), seen);
    }

    [Fact]
    public async Task Collect_gives_all_good_results_and_then_the_failures()
    {
        var seen = 0;

        var thrown = await Assert.ThrowsAsync<FlowFailuresException>(async () =>
        {
            await foreach (var i in Numbers(1_000).SelectParallelStreamAsync(
                (i, _) => i % 5 == 0 ? throw new FormatException() : ValueTask.FromResult(i), Four with { Errors = ErrorMode.Collect }))
                seen++;
        });

        Assert.Equal(800, seen);
        Assert.Equal(200, thrown.Failures.Count);
    }

    [Fact]
    public async Task Cancelling_ends_a_reader_that_waits()
    {
        using var cancel = new CancellationTokenSource();
        var stream = Numbers(10).SelectParallelStreamAsync(async (i, ct) => { await Task.Delay(Timeout.Infinite, ct); return i; }, Four, cancel.Token);
        await using var reader = stream.GetAsyncEnumerator();

        var waiting = reader.MoveNextAsync();
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await waiting);
    }

    [Fact]
    public async Task A_stream_that_was_never_read_is_left_without_a_trace()
    {
        var started = 0;

        await using (Numbers(10).SelectParallelStreamAsync((i, _) => { started++; return ValueTask.FromResult(i); }, Four).GetAsyncEnumerator())
        {
        }

        Assert.Equal(0, started);
    }

    [Fact]
    public async Task A_stream_can_be_read_twice()
    {
        var stream = Numbers(100).SelectParallelStreamAsync((i, _) => ValueTask.FromResult(i), Four);

        var first = await CountAsync();
        var second = await CountAsync();

        Assert.Equal((100, 100), (first, second));

        async Task<int> CountAsync()
        {
            var count = 0;
            await foreach (var _ in stream)
                count++;
            return count;
        }
    }

    private static async ValueTask<int> Body(int i, CancellationToken ct)
    {
        if (i % 3 == 0)
            await Task.Yield();
        return i;
    }

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();

    private static async IAsyncEnumerable<int> Async(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }
}
