using Postrider.Compat.Rivulet;
using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;
using Postrider.UnitTests.Flow;
using ErrorMode = Postrider.Compat.Rivulet.ErrorMode;

namespace Postrider.UnitTests.Compat.Rivulet;

/// <summary>What Rivulet 1.3.0 was seen to do wrong, a test each; through its own names where they reach it.</summary>
[Collection(VirtualTime.Name)]
public class RivuletFaultTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly TestClock _time = new();

    [Theory]
    [InlineData(1024, 5_000)]
    [InlineData(64, 500)]
    public async Task Leaving_a_stream_does_not_hang(int capacity, int items)
    {
        var options = new ParallelOptionsRivulet { ChannelCapacity = capacity };

        await Read().WaitAsync(Patience);

        async Task Read()
        {
            await foreach (var _ in Numbers(items).ToAsyncEnumerable().SelectParallelStreamAsync((i, _) => ValueTask.FromResult(i), options))
                break;
        }
    }

    [Fact]
    public async Task Ordered_stream_has_a_bound()
    {
        var started = 0;
        var first = new TaskCompletionSource();
        var options = new ParallelOptionsRivulet { OrderedOutput = true, ChannelCapacity = 100, MaxDegreeOfParallelism = 8 };

        var reading = Task.Run(async () =>
        {
            var count = 0;
            await foreach (var _ in Numbers(100_000).ToAsyncEnumerable().SelectParallelStreamAsync(BodyAsync, options))
                count++;
            return count;
        });
        await Eventually.HoldsAsync(() => Volatile.Read(ref started) == 100);
        await Task.Delay(20);
        var whileFirstIsSlow = Volatile.Read(ref started);
        first.SetResult();

        Assert.Equal(100, whileFirstIsSlow);
        Assert.Equal(100_000, await reading.WaitAsync(Patience));

        async ValueTask<int> BodyAsync(int i, CancellationToken ct)
        {
            Interlocked.Increment(ref started);
            if (i == 0)
                await first.Task;
            return i;
        }
    }

    [Fact]
    public async Task Idle_batch_is_sent_before_the_next_item_comes()
    {
        var fourth = new TaskCompletionSource();
        var sizes = new List<int>();

        await Read().WaitAsync(Patience);

        Assert.Equal([3, 1], sizes);

        async Task Read()
        {
            await foreach (var size in Source().BatchParallelStreamAsync(10, (batch, _) => ValueTask.FromResult(batch.Count), batchTimeout: TimeSpan.FromMilliseconds(20)))
            {
                sizes.Add(size);
                fourth.TrySetResult();
            }
        }

        async IAsyncEnumerable<int> Source()
        {
            for (var i = 0; i < 3; i++)
                yield return i;
            await fourth.Task;
            yield return 3;
        }
    }

    [Fact]
    public void Adaptive_limit_does_not_collapse_under_a_target_it_cannot_meet()
    {
        var limit = new AdaptiveLimit(new() { Algorithm = AdaptiveAlgorithm.Aimd, TargetLatency = TimeSpan.FromMilliseconds(1), TimeProvider = _time });

        for (var window = 0; window < 100; window++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(20));
            // 4 ms a call at whatever limit: its throughput is all that a smaller one changes.
            for (var call = 0; call < 5 * limit.Value; call++)
                limit.Record(TimeSpan.FromMilliseconds(4), succeeded: true, limit.Value);
        }

        // Rivulet's went from 8 to 1.
        Assert.InRange(limit.Value, 4, 64);
    }

    [Fact]
    public void Adaptive_limit_without_a_target_does_not_only_climb()
    {
        var limit = new AdaptiveLimit(new() { TimeProvider = _time });

        for (var window = 0; window < 300; window++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(20));
            // A service of 16 slots: what is beyond them queues.
            var latency = TimeSpan.FromMilliseconds(4 * Math.Max(1, limit.Value / 16.0));
            for (var call = 0; call < 80; call++)
                limit.Record(latency, succeeded: true, limit.Value);
        }

        Assert.InRange(limit.Value, 12, 32);
    }

    [Fact]
    public async Task Breaker_and_limit_outlive_a_call_and_the_breaker_counts_attempts()
    {
        var breaker = new CircuitBreaker(new() { FailureThreshold = 5, TimeProvider = _time });
        var limiter = new RateLimiter(1, burst: 100, _time);
        var options = new FlowOptions { MaxConcurrency = 1, CircuitBreaker = breaker, RateLimit = limiter, Errors = Postrider.Flow.ErrorMode.Skip, TimeProvider = _time, Retry = new() { MaxAttempts = 2, BaseDelay = TimeSpan.Zero } };
        var calls = 0;

        await Numbers(2).ForEachParallelAsync(Fail, options).FinishAsync(_time);
        await Numbers(1).ForEachParallelAsync(Fail, options with { Retry = null }).FinishAsync(_time);

        Assert.Equal((5, Postrider.Resilience.CircuitBreakerState.Open), (calls, breaker.State));
        Assert.InRange(limiter.Available, 94, 96);

        ValueTask Fail(int item, CancellationToken ct)
        {
            calls++;
            throw new FormatException();
        }
    }

    [Fact]
    public async Task Item_timeout_is_not_told_as_a_cancellation()
        => await Assert.ThrowsAsync<TimeoutException>(() => Numbers(1).SelectParallelAsync(
            async (i, ct) => { await Task.Delay(Timeout.Infinite, ct); return i; }, new ParallelOptionsRivulet { PerItemTimeout = TimeSpan.FromMilliseconds(5) }).WaitAsync(Patience));

    [Fact]
    public async Task Collected_errors_do_not_lose_the_good_results()
    {
        var failures = await Assert.ThrowsAsync<FlowFailuresException<int>>(
            () => Numbers(4).SelectParallelAsync(FailOnTwo, new ParallelOptionsRivulet { ErrorMode = ErrorMode.CollectAndContinue }));

        Assert.Equal([0, 1, 3], failures.Results.Select(result => result.Value));
        Assert.Equal(2, Assert.Single(failures.Failures).Index);
    }

    [Fact]
    public async Task Best_effort_results_can_be_told_apart_by_their_index()
    {
        var outcomes = await Numbers(4).SelectOutcomesAsync(FailOnTwo, new FlowOptions { Errors = Postrider.Flow.ErrorMode.Skip });

        Assert.Equal([0L, 1, 3], outcomes.Where(outcome => outcome.HasValue).Select(outcome => outcome.Index));
    }

    [Fact]
    public async Task Retries_need_no_predicate()
    {
        var calls = 0;

        var results = await Numbers(1).SelectParallelAsync(
            (i, _) => ++calls < 3 ? throw new FormatException() : ValueTask.FromResult(i), new ParallelOptionsRivulet { MaxRetries = 2, BaseDelay = TimeSpan.Zero });

        Assert.Equal((1, 3), (results.Count, calls));
    }

    [Fact]
    public async Task Throttle_hook_is_called_for_throttled_items_alone_and_drain_is_called()
    {
        int throttled = 0, drained = 0;
        var options = new ParallelOptionsRivulet
        {
            MaxDegreeOfParallelism = 2,
            OnThrottleAsync = _ => { Interlocked.Increment(ref throttled); return default; },
            OnDrainAsync = ended => { drained = ended; return default; },
        };

        await Numbers(100).ForEachParallelAsync((_, _) => default, options);
        Assert.Equal((0, 100), (throttled, drained));

        await Numbers(20).ForEachParallelAsync((_, _) => default, Limited(options));
        Assert.InRange(throttled, 1, 10);

        static ParallelOptionsRivulet Limited(ParallelOptionsRivulet from) => new()
        {
            MaxDegreeOfParallelism = from.MaxDegreeOfParallelism,
            OnThrottleAsync = from.OnThrottleAsync,
            RateLimit = new RateLimitOptions { TokensPerSecond = 1_000, BurstCapacity = 10 },
        };
    }

    [Fact]
    public async Task Endless_source_is_not_read_to_its_end_nor_its_batches_held()
    {
        var read = 0;

        await Assert.ThrowsAsync<FormatException>(() => Endless().BatchParallelAsync(
            10, (batch, _) => batch[0] == 500 ? throw new FormatException() : ValueTask.FromResult(batch.Count), new ParallelOptionsRivulet { MaxDegreeOfParallelism = 1 }).WaitAsync(Patience));

        Assert.InRange(read, 510, 3_000);

        IEnumerable<int> Endless()
        {
            while (true)
                yield return read++;
        }
    }

    [Fact]
    public async Task Fallback_has_the_type_of_the_results_and_is_not_boxed()
    {
        var results = await Numbers(3).SelectParallelAsync(FailOnTwo, new FlowOptions<int, int> { Fallback = (item, _) => -item });

        Assert.Equal([0, 1, -2], results);
    }

    [Fact]
    public void Options_can_be_changed_by_whoever_configures_them()
    {
        Func<FlowOptions, FlowOptions> configure = options => options with { MaxConcurrency = 3 };

        Assert.Equal(3, configure(new FlowOptions()).MaxConcurrency.Value);
    }

    [Fact]
    public async Task Every_delay_can_be_driven_by_a_clock_of_the_test()
    {
        var elapsed = await Numbers(1).ForEachParallelAsync(
            (_, _) => throw new FormatException(),
            new FlowOptions { TimeProvider = _time, Errors = Postrider.Flow.ErrorMode.Skip, Retry = new() { MaxAttempts = 2, BaseDelay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1), Backoff = Backoff.Constant } }).FinishAsync(_time);

        Assert.Equal(TimeSpan.FromHours(1), elapsed);
    }

    [Fact]
    public async Task Stages_of_a_pipeline_do_not_box()
    {
        var pipeline = FlowPipeline.Of<int>(new FlowOptions { MaxConcurrency = 1, MaxThreads = 1 })
            .Select((i, _) => ValueTask.FromResult(i + 1L))
            .Select((i, _) => ValueTask.FromResult(i * 0.5));
        var source = Numbers(100_000);
        await DrainAsync();

        // One box would be 24 bytes an item in every round; the rest of the suite allocates beside some of them.
        var least = double.MaxValue;
        for (var round = 0; round < 20 && least > 12; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await DrainAsync();
            least = Math.Min(least, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)source.Length);
        }

        Assert.InRange(least, 0, 12);

        async Task DrainAsync()
        {
            await foreach (var _ in pipeline.RunAsync(source))
            {
            }
        }
    }

    private static ValueTask<int> FailOnTwo(int i, CancellationToken ct) => i == 2 ? throw new FormatException() : ValueTask.FromResult(i);

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();
}
