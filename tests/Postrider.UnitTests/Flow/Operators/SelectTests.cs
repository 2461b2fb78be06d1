using System.Threading.Channels;
using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.UnitTests.Flow.Operators;

public class SelectTests
{
    private static readonly FlowOptions Four = new() { MaxConcurrency = 4 };

    public static TheoryData<int> Counts => [0, 1, 2, 63, 64, 65, 127, 1_000, 10_000];

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task Array_gives_results_in_order(int count)
    {
        var results = await Numbers(count).SelectParallelAsync((i, _) => ValueTask.FromResult(i * 2), Four);

        Assert.Equal(Doubled(count), results);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task List_gives_results_in_order(int count)
    {
        var results = await Numbers(count).ToList().SelectParallelAsync((i, _) => ValueTask.FromResult(i * 2), Four);

        Assert.Equal(Doubled(count), results);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task Enumerable_gives_results_in_order(int count)
    {
        var results = await Lazy(count).SelectParallelAsync((i, _) => ValueTask.FromResult(i * 2), Four);

        Assert.Equal(Doubled(count), results);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task Async_enumerable_gives_results_in_order(int count)
    {
        var results = await Slow(count).SelectParallelAsync(async (i, _) => { await Task.Yield(); return i * 2; }, Four);

        Assert.Equal(Doubled(count), results);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task Channel_gives_results_in_order(int count)
    {
        var channel = Channel.CreateBounded<int>(16);
        var writing = WriteAsync();

        var results = await channel.Reader.SelectParallelAsync(async (i, _) => { await Task.Yield(); return i * 2; }, Four);

        await writing;
        Assert.Equal(Doubled(count), results);

        async Task WriteAsync()
        {
            for (var i = 0; i < count; i++)
                await channel.Writer.WriteAsync(i);
            channel.Writer.Complete();
        }
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public async Task Bodies_that_sometimes_wait_lose_nothing(int count)
    {
        var results = await Numbers(count).SelectParallelAsync(
            async (i, _) =>
            {
                if (i % 7 == 0)
                    await Task.Yield();
                return i * 2;
            },
            Four);

        Assert.Equal(Doubled(count), results);
    }

    [Fact]
    public async Task State_is_handed_to_every_call()
    {
        var results = await Numbers(100).SelectParallelAsync(10, static (i, state, _) => ValueTask.FromResult(i * state), Four);

        Assert.Equal(Enumerable.Range(0, 100).Select(i => i * 10), results);
    }

    [Fact]
    public async Task No_more_than_the_limit_run_at_once_and_the_limit_is_used()
    {
        int running = 0, max = 0;

        await Numbers(200).ForEachParallelAsync(
            async (_, _) =>
            {
                var now = Interlocked.Increment(ref running);
                InterlockedMax(ref max, now);
                await Task.Delay(1);
                Interlocked.Decrement(ref running);
            },
            Four);

        Assert.Equal(4, max);
    }

    [Fact]
    public async Task Infinite_source_is_not_copied()
    {
        var taken = 0;

        await foreach (var result in Endless().SelectParallelStreamAsync((i, _) => ValueTask.FromResult(i), Four))
        {
            if (++taken == 5_000)
                break;
        }

        Assert.Equal(5_000, taken);

        static IEnumerable<int> Endless()
        {
            for (var i = 0; ; i++)
                yield return i;
        }
    }

    [Fact]
    public async Task First_failure_is_thrown_as_it_is()
    {
        var failure = await Assert.ThrowsAsync<FormatException>(() => Numbers(100).SelectParallelAsync(
            (i, _) => i == 50 ? throw new FormatException("fifty") : ValueTask.FromResult(i), Four));

        Assert.Equal("fifty", failure.Message);
    }

    [Fact]
    public async Task Failure_cancels_what_is_in_flight_and_starts_nothing_more()
    {
        var started = 0;

        await Assert.ThrowsAsync<FormatException>(() => Numbers(1_000).ForEachParallelAsync(
            async (i, ct) =>
            {
                Interlocked.Increment(ref started);
                if (i == 2)
                {
                    await Task.Yield();
                    throw new FormatException();
                }
                await Task.Delay(Timeout.Infinite, ct);
            },
            Four));

        Assert.InRange(started, 3, 6);
    }

    [Fact]
    public async Task Collect_brings_every_failure_and_every_good_result()
    {
        var failure = await Assert.ThrowsAsync<FlowFailuresException<int>>(() => Numbers(100).SelectParallelAsync(
            (i, _) => i % 10 == 3 ? throw new FormatException($"{i}") : ValueTask.FromResult(i * 2),
            Four with { Errors = ErrorMode.Collect }));

        Assert.Equal(Enumerable.Range(0, 10).Select(i => (long)((i * 10) + 3)), failure.Failures.Select(f => f.Index));
        Assert.Equal(10, failure.InnerExceptions.Count);
        Assert.Equal(Enumerable.Range(0, 100).Where(i => i % 10 != 3).Select(i => KeyValuePair.Create((long)i, i * 2)), failure.Results);
    }

    [Fact]
    public async Task Skip_leaves_the_failed_out_in_order()
    {
        var results = await Lazy(100).SelectParallelAsync(
            (i, _) => i % 10 == 3 ? throw new FormatException() : ValueTask.FromResult(i),
            Four with { Errors = ErrorMode.Skip });

        Assert.Equal(Enumerable.Range(0, 100).Where(i => i % 10 != 3), results);
    }

    [Fact]
    public async Task Cancellation_ends_with_the_callers_token_after_the_bodies_have_ended()
    {
        using var cancel = new CancellationTokenSource();
        var ended = 0;

        var task = Numbers(100).ForEachParallelAsync(
            async (_, ct) =>
            {
                try
                {
                    await Task.Delay(Timeout.Infinite, ct);
                }
                finally
                {
                    Interlocked.Increment(ref ended);
                }
            },
            Four,
            cancel.Token);
        await cancel.CancelAsync();

        var thrown = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
        Assert.Equal(cancel.Token, thrown.CancellationToken);
        Assert.Equal(4, ended);
    }

    [Fact]
    public async Task Source_that_throws_ends_the_operation_with_its_exception()
    {
        await Assert.ThrowsAsync<FormatException>(() => Faulty().SelectParallelAsync((i, _) => ValueTask.FromResult(i), Four));

        static IEnumerable<int> Faulty()
        {
            for (var i = 0; i < 10; i++)
                yield return i;
            throw new FormatException();
        }
    }

    [Fact]
    public async Task Async_source_that_throws_ends_the_operation_with_its_exception()
    {
        await Assert.ThrowsAsync<FormatException>(() => Faulty().SelectParallelAsync((i, _) => ValueTask.FromResult(i), Four));

        static async IAsyncEnumerable<int> Faulty()
        {
            for (var i = 0; i < 10; i++)
            {
                await Task.Yield();
                yield return i;
            }
            throw new FormatException();
        }
    }

    [Fact]
    public async Task Ambient_values_are_those_of_the_start_for_every_item()
    {
        var ambient = new AsyncLocal<string> { Value = "start" };
        var seen = new string?[200];

        await Numbers(200).ForEachParallelAsync(
            async (i, _) =>
            {
                seen[i] = ambient.Value;
                ambient.Value = $"item {i}";
                await Task.Yield();
                ambient.Value = $"item {i} again";
            },
            Four);

        Assert.All(seen, value => Assert.Equal("start", value));
        Assert.Equal("start", ambient.Value);
    }

    [Fact]
    public async Task Blocking_bodies_get_further_threads()
    {
        using var all = new CountdownEvent(4);

        await Numbers(4).ForEachParallelAsync(
            (_, _) =>
            {
                all.Signal();
                Assert.True(all.Wait(TimeSpan.FromSeconds(20)), "Four blocking bodies never ran at once.");
                return default;
            },
            Four);

        Assert.Equal(0, all.CurrentCount);
    }

    [Fact]
    public void Options_made_for_other_items_are_refused_before_anything_runs()
    {
        var options = new FlowOptions<string> { Cost = _ => 1, RateLimit = new(1) };

        var thrown = Assert.Throws<ArgumentException>(() => { _ = Numbers(1).SelectParallelAsync((i, _) => ValueTask.FromResult(i), options); });

        Assert.Contains("<String>", thrown.Message);
    }

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();

    private static IEnumerable<int> Doubled(int count) => Enumerable.Range(0, count).Select(i => i * 2);

    private static IEnumerable<int> Lazy(int count)
    {
        for (var i = 0; i < count; i++)
            yield return i;
    }

    private static async IAsyncEnumerable<int> Slow(int count)
    {
        for (var i = 0; i < count; i++)
        {
            if (i % 5 == 0)
                await Task.Yield();
            yield return i;
        }
    }

    private static void InterlockedMax(ref int target, int value)
    {
        int seen;
        while ((seen = Volatile.Read(ref target)) < value && Interlocked.CompareExchange(ref target, value, seen) != seen)
        {
        }
    }
}
