using System.Threading.Channels;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow;

[Collection(VirtualTime.Name)]
public class FeatureTests
{
    private readonly TestClock _time = new();

    private FlowOptions Four => new() { MaxConcurrency = 4, MaxThreads = 1, TimeProvider = _time };

    [Fact]
    public async Task Retry_repeats_without_a_predicate()
    {
        var calls = 0;

        var results = await Numbers(1).SelectParallelAsync(
            (i, _) => ++calls < 3 ? throw new FormatException() : ValueTask.FromResult(i), Four with { Retry = new() }).FinishAsync(_time);

        Assert.Equal(3, calls);
        Assert.Equal([0], results);
    }

    [Fact]
    public async Task Backoff_gives_its_slot_to_another_item()
    {
        var failed = new bool[40];

        var elapsed = await Numbers(40).ForEachParallelAsync(
            async (i, ct) =>
            {
                await _time.DelayAsync(1, ct);
                if (i % 4 == 0 && !failed[i])
                {
                    failed[i] = true;
                    throw new FormatException();
                }
            },
            Four with { Retry = new() { Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromMilliseconds(9) } }).FinishAsync(_time);

        // 40 items and 10 repeats of 1 ms at 4 are 12.5 waves; a slot that slept through ten backoffs would add 22 ms.
        Assert.InRange(elapsed.TotalMilliseconds, 12, 21);
    }

    [Fact]
    public async Task Backoff_keeps_its_slot_when_told_so()
    {
        var failed = false;
        var order = new List<int>();

        await Numbers(2).ForEachParallelAsync(
            (i, _) =>
            {
                if (i == 0 && !failed)
                {
                    failed = true;
                    throw new FormatException();
                }
                order.Add(i);
                return default;
            },
            Four with { MaxConcurrency = 1, Retry = new() { HoldSlot = true } }).FinishAsync(_time);

        Assert.Equal([0, 1], order);
    }

    [Fact]
    public async Task Retries_end_with_the_last_exception()
    {
        var calls = 0;

        var thrown = await Assert.ThrowsAsync<FormatException>(() => Numbers(1).ForEachParallelAsync(
            (_, _) => throw new FormatException($"call {++calls}"), Four with { Retry = new() { MaxAttempts = 4 } }).FinishAsync(_time));

        Assert.Equal("call 4", thrown.Message);
    }

    [Fact]
    public async Task Budget_ends_the_retries_of_every_operation_that_shares_it()
    {
        var calls = 0;
        var options = Four with { Errors = ErrorMode.Skip, Retry = new() { Budget = new RetryBudget(0, reserve: 5), MaxAttempts = 10 } };

        await Numbers(3).ForEachParallelAsync(Fail, options).FinishAsync(_time);
        await Numbers(3).ForEachParallelAsync(Fail, options).FinishAsync(_time);

        Assert.Equal(3 + 5 + 3, calls);

        ValueTask Fail(int i, CancellationToken ct)
        {
            calls++;
            throw new FormatException();
        }
    }

    [Fact]
    public async Task Item_timeout_is_a_timeout_and_no_cancellation()
    {
        var task = Numbers(10).ForEachParallelAsync(
            async (i, ct) => await _time.DelayAsync(i == 5 ? -1 : 1, ct),
            Four with { ItemTimeout = TimeSpan.FromMilliseconds(50) }).FinishAsync(_time);

        var thrown = await Assert.ThrowsAsync<TimeoutException>(() => task);
        Assert.Contains("Item 5", thrown.Message);
    }

    [Fact]
    public async Task Item_timeout_counts_from_the_call_and_spares_the_next_item()
    {
        var outcomes = await Numbers(50).SelectOutcomesAsync(
            async (i, ct) =>
            {
                await _time.DelayAsync(i % 10 == 3 ? 500 : 20, ct);
                return i;
            },
            Four with { ItemTimeout = TimeSpan.FromMilliseconds(30), Errors = ErrorMode.Skip }).FinishAsync(_time);

        Assert.All(outcomes, outcome => Assert.Equal(outcome.Index % 10 == 3 ? OutcomeReason.TimedOut : OutcomeReason.Succeeded, outcome.Reason));
        Assert.All(outcomes.Where(o => o.Reason == OutcomeReason.TimedOut), o => Assert.InRange(o.Duration.TotalMilliseconds, 30, 31));
    }

    [Fact]
    public async Task Deadline_gives_what_is_there()
    {
        var results = await Numbers(100).SelectParallelAsync(
            async (i, ct) =>
            {
                await _time.DelayAsync(10, ct);
                return i;
            },
            Four with { Deadline = TimeSpan.FromMilliseconds(55), Errors = ErrorMode.Skip }).FinishAsync(_time);

        Assert.Equal(Enumerable.Range(0, 20), results);
    }

    [Fact]
    public async Task Deadline_throws_when_errors_stop()
        => await Assert.ThrowsAsync<TimeoutException>(() => Numbers(100).ForEachParallelAsync(
            async (i, ct) => await _time.DelayAsync(10, ct), Four with { Deadline = TimeSpan.FromMilliseconds(55) }).FinishAsync(_time));

    [Fact]
    public async Task Rate_limit_spaces_the_starts_and_is_shared_by_operations()
    {
        var limit = new RateLimiter(100, burst: 5, _time);
        var options = Four with { RateLimit = limit };
        var begun = _time.GetTimestamp();

        await Numbers(15).ForEachParallelAsync((_, _) => default, options).FinishAsync(_time);
        await Numbers(10).ForEachParallelAsync((_, _) => default, options).FinishAsync(_time);

        Assert.InRange(_time.GetElapsedTime(begun).TotalMilliseconds, 199, 215);
    }

    [Fact]
    public async Task Throttle_hook_is_called_for_items_that_wait_and_for_no_other()
    {
        var throttled = 0;

        await Numbers(20).ForEachParallelAsync((_, _) => default, Four with
        {
            RateLimit = new RateLimiter(100, burst: 12, _time),
            Hooks = new() { OnThrottle = (_, _) => throttled++ },
        }).FinishAsync(_time);

        Assert.Equal(8, throttled);
    }

    [Fact]
    public async Task Cost_and_limit_are_taken_per_item()
    {
        var limits = new PerKey<int, RateLimiter>(_ => new RateLimiter(10, burst: 10, _time));

        var elapsed = await Numbers(8).ForEachParallelAsync((_, _) => default, new FlowOptions<int>
        {
            MaxConcurrency = 8,
            MaxThreads = 1,
            TimeProvider = _time,
            RateLimitFor = i => limits.For(i % 2),
            Cost = i => 5,
        }).FinishAsync(_time);

        // Four items of cost 5 per key: 20 permits, 10 of them at once, 10 more at 10 a second.
        Assert.InRange(elapsed.TotalMilliseconds, 999, 1_003);
    }

    [Fact]
    public async Task Breaker_is_shared_and_counts_attempts()
    {
        var breaker = new CircuitBreaker(new() { FailureThreshold = 3, OpenTime = TimeSpan.FromSeconds(1), TimeProvider = _time });
        var options = Four with { MaxConcurrency = 1, CircuitBreaker = breaker, Errors = ErrorMode.Skip };
        var calls = 0;

        await Numbers(10).ForEachParallelAsync(Fail, options).FinishAsync(_time);
        await Numbers(10).ForEachParallelAsync(Fail, options).FinishAsync(_time);

        Assert.Equal(3, calls);
        Assert.Equal(CircuitBreakerState.Open, breaker.State);

        ValueTask Fail(int i, CancellationToken ct)
        {
            calls++;
            throw new FormatException();
        }
    }

    [Fact]
    public async Task Retry_waits_until_the_breaker_lets_a_probe_pass()
    {
        var breaker = new CircuitBreaker(new() { FailureThreshold = 1, SuccessThreshold = 1, OpenTime = TimeSpan.FromSeconds(1), TimeProvider = _time });
        var calls = 0;

        var results = await Numbers(4).SelectParallelAsync(
            (i, _) => ++calls == 1 ? throw new FormatException() : ValueTask.FromResult(i),
            Four with { CircuitBreaker = breaker, Retry = new() { MaxAttempts = 10 } }).FinishAsync(_time);

        Assert.Equal([0, 1, 2, 3], results);
        Assert.Equal(5, calls);
    }

    [Fact]
    public async Task Same_key_runs_in_order_and_keys_side_by_side()
    {
        var order = new List<(int Key, int Item)>();
        var running = new int[4];
        var max = 0;

        await Numbers(80).ForEachParallelAsync(
            async (i, ct) =>
            {
                Assert.Equal(1, ++running[i % 4]);
                max = Math.Max(max, running.Sum());
                await _time.DelayAsync(1 + (i % 3), ct);
                running[i % 4]--;
                order.Add((i % 4, i));
            },
            new FlowOptions<int> { MaxConcurrency = 8, MaxThreads = 1, TimeProvider = _time, Key = ItemKey<int>.By(i => i % 4) }).FinishAsync(_time);

        Assert.All(order.GroupBy(o => o.Key), lane => Assert.Equal(lane.Select(o => o.Item).Order(), lane.Select(o => o.Item)));
        Assert.Equal(4, max);
    }

    [Fact]
    public async Task One_hot_key_does_not_read_the_source_to_its_end()
    {
        var read = 0;

        await Assert.ThrowsAsync<TimeoutException>(() => Endless().ForEachParallelAsync(
            async (_, ct) => await _time.DelayAsync(1, ct),
            new FlowOptions<int> { MaxThreads = 1, TimeProvider = _time, Key = ItemKey<int>.By(_ => 0), Window = 100, Deadline = TimeSpan.FromMilliseconds(50) }).FinishAsync(_time));

        Assert.InRange(read, 100, 260);

        IEnumerable<int> Endless()
        {
            while (true)
                yield return read++;
        }
    }

    [Fact]
    public async Task Weights_share_one_total()
    {
        var bulkhead = new Bulkhead(10);
        long used = 0, max = 0;

        await Numbers(40).ForEachParallelAsync(
            async (i, ct) =>
            {
                max = Math.Max(max, Interlocked.Add(ref used, 1 + (i % 6)));
                await _time.DelayAsync(1, ct);
                Interlocked.Add(ref used, -(1 + (i % 6)));
            },
            new FlowOptions<int> { MaxConcurrency = 16, MaxThreads = 1, TimeProvider = _time, Bulkhead = bulkhead, Weight = i => 1 + (i % 6) }).FinishAsync(_time);

        Assert.InRange(max, 6, 10);
        Assert.Equal((0L, 0), (bulkhead.Used, bulkhead.Waiting));
    }

    [Fact]
    public async Task Fallback_is_typed_and_keeps_the_exception_in_the_outcome()
    {
        var outcomes = await Numbers(4).SelectOutcomesAsync(
            (i, _) => i == 2 ? throw new FormatException() : ValueTask.FromResult(i),
            new FlowOptions<int, int> { Fallback = (item, failure) => -item }).FinishAsync(_time);

        Assert.Equal(new[] { 0, 1, -2, 3 }, outcomes.Select(o => o.Value));
        Assert.Equal(OutcomeReason.FellBack, outcomes[2].Reason);
        Assert.IsType<FormatException>(outcomes[2].Exception);
    }

    [Fact]
    public async Task Outcomes_tell_index_attempts_reason_and_those_not_started()
    {
        var outcomes = await Numbers(6).SelectOutcomesAsync(
            (i, _) => i == 3 ? throw new FormatException() : ValueTask.FromResult(i),
            Four with { MaxConcurrency = 1, Retry = new() { MaxAttempts = 2, BaseDelay = TimeSpan.Zero, Backoff = Backoff.Constant } }).FinishAsync(_time);

        Assert.Equal([0, 1, 2, 3, 4, 5], outcomes.Select(o => o.Index));
        Assert.Equal(OutcomeReason.Failed, outcomes[3].Reason);
        Assert.Equal(2, outcomes[3].Attempts);
        Assert.Equal(OutcomeReason.NotStarted, outcomes[5].Reason);
    }

    [Fact]
    public async Task Live_limit_takes_effect_while_running()
    {
        var limit = new ConcurrencyLimit(1);
        int running = 0, max = 0, leastAfter = int.MaxValue, done = 0;

        await Numbers(60).ForEachParallelAsync(
            async (_, ct) =>
            {
                max = Math.Max(max, ++running);
                await _time.DelayAsync(1, ct);
                if (++done == 10)
                    limit.Value = 6;
                if (done == 40)
                    limit.Value = 2;
                running--;
                if (done > 50)
                    leastAfter = Math.Min(leastAfter, running);
            },
            Four with { MaxConcurrency = limit }).FinishAsync(_time);

        Assert.Equal(6, max);
        Assert.InRange(leastAfter, 0, 2);
    }

    [Fact]
    public async Task Pause_holds_back_and_resume_goes_on()
    {
        var control = new FlowControl();
        var done = 0;

        var task = Numbers(20).ForEachParallelAsync(
            async (_, ct) =>
            {
                await _time.DelayAsync(1, ct);
                if (++done == 8)
                    control.Pause();
            },
            Four with { Control = control });
        for (var i = 0; i < 100; i++)
            _time.Advance(TimeSpan.FromMilliseconds(1));
        var whilePaused = done;
        control.Resume();
        await task.FinishAsync(_time);

        Assert.InRange(whilePaused, 8, 11);
        Assert.Equal(20, done);
    }

    [Fact]
    public async Task Drain_finishes_what_is_in_flight_and_keeps_its_results()
    {
        var control = new FlowControl();

        var results = await Numbers(100).SelectParallelAsync(
            async (i, ct) =>
            {
                await _time.DelayAsync(1, ct);
                if (i == 7)
                    control.Drain();
                return i;
            },
            Four with { Control = control }).FinishAsync(_time);

        Assert.InRange(results.Length, 8, 12);
        Assert.Equal(Enumerable.Range(0, results.Length), results);
    }

    [Fact]
    public async Task Drain_ends_an_operation_that_waits_for_its_source()
    {
        var control = new FlowControl();
        var channel = Channel.CreateUnbounded<int>();
        channel.Writer.TryWrite(1);

        var task = channel.Reader.SelectParallelAsync(async (i, ct) => { await _time.DelayAsync(5, ct); return i; }, Four with { Control = control });
        control.Drain();

        var results = await task.FinishAsync(_time);
        Assert.Equal([1], results);
    }

    [Fact]
    public async Task Progress_tells_rate_and_remaining_time_and_ends_with_everything()
    {
        var reports = new List<FlowProgress>();

        await Numbers(100).ForEachParallelAsync(
            async (_, ct) => await _time.DelayAsync(40, ct),
            Four with { Progress = new Direct(reports.Add), ProgressInterval = TimeSpan.FromMilliseconds(200) }).FinishAsync(_time);

        Assert.InRange(reports.Count, 4, 6);
        Assert.Equal((100L, 100.0), (reports[^1].Completed, reports[^1].PercentComplete));
        Assert.InRange(reports[1].ItemsPerSecond, 80, 120);
        Assert.InRange(reports[1].Remaining!.Value.TotalMilliseconds, 400, 800);
    }

    [Fact]
    public async Task Hook_that_throws_ends_the_operation_with_its_exception()
        => await Assert.ThrowsAsync<DivideByZeroException>(() => Numbers(10).ForEachParallelAsync(
            (_, _) => default, Four with { Hooks = new() { OnStart = i => i == 3 ? throw new DivideByZeroException() : default } }).FinishAsync(_time));

    [Fact]
    public async Task Hooks_see_every_turn_and_drain_comes_last()
    {
        var log = new List<string>();

        await Numbers(2).ForEachParallelAsync(
            (i, _) => i == 1 ? throw new FormatException() : default,
            Four with
            {
                MaxConcurrency = 1,
                Errors = ErrorMode.Skip,
                Retry = new() { MaxAttempts = 2 },
                Hooks = new()
                {
                    OnStart = i => { log.Add($"start {i}"); return default; },
                    OnSuccess = i => { log.Add($"success {i}"); return default; },
                    OnRetry = (i, attempt, _, _) => { log.Add($"retry {i} after {attempt}"); return default; },
                    OnFailure = failure => { log.Add($"failure {failure.Index} after {failure.Attempts}"); return ValueTask.FromResult(true); },
                    OnDrain = ended => log.Add($"drain {ended}"),
                },
            }).FinishAsync(_time);

        Assert.Equal(["start 0", "success 0", "start 1", "retry 1 after 1", "failure 1 after 2", "drain 2"], log);
    }

    [Fact]
    public async Task Idle_batch_is_sent_when_its_first_item_has_waited_long_enough()
    {
        var channel = Channel.CreateUnbounded<int>();
        var batches = new List<(int Count, double At)>();
        var begun = _time.GetTimestamp();
        for (var i = 0; i < 3; i++)
            channel.Writer.TryWrite(i);

        var reading = Task.Run(async () =>
        {
            await foreach (var count in channel.Reader.BatchParallelStreamAsync(10, (batch, _) => ValueTask.FromResult(batch.Count), TimeSpan.FromMilliseconds(100), Four))
            {
                lock (batches)
                    batches.Add((count, _time.GetElapsedTime(begun).TotalMilliseconds));
            }
        });
        await Eventually.HoldsAsync(() => _time.ArmedTimers > 0);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        await Eventually.HoldsAsync(() => { lock (batches) return batches.Count == 1; });
        channel.Writer.TryWrite(4);
        channel.Writer.Complete();
        await reading;

        Assert.Equal([(3, 100.0), (1, 100.0)], batches);
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(9, 10)]
    [InlineData(10, 10)]
    [InlineData(1_005, 100)]
    public async Task Batches_hold_every_item_once_from_every_kind_of_source(int count, int size)
    {
        var expected = Enumerable.Range(0, count).Chunk(size).Select(chunk => chunk.Sum()).ToArray();

        Assert.Equal(expected, await Numbers(count).BatchParallelAsync(size, Sum));
        Assert.Equal(expected, await Numbers(count).Where(_ => true).BatchParallelAsync(size, Sum));
        Assert.Equal(expected, await Numbers(count).ToAsyncEnumerable().BatchParallelAsync(size, Sum));

        static ValueTask<int> Sum(Postrider.Flow.Sources.Batch<int> batch, CancellationToken ct) => ValueTask.FromResult(batch.Sum());
    }

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();

    private sealed class Direct(Action<FlowProgress> report) : IProgress<FlowProgress>
    {
        public void Report(FlowProgress value) => report(value);
    }
}
