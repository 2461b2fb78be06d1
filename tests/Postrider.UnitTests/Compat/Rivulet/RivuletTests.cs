using Postrider.Compat.Rivulet;

namespace Postrider.UnitTests.Compat.Rivulet;

/// <summary>Code as it is written for Rivulet, with another namespace.</summary>
public class RivuletTests
{
    [Fact]
    public async Task Select_gives_a_list()
    {
        List<int> results = await Enumerable.Range(0, 100).SelectParallelAsync(
            async (i, ct) => { await Task.Yield(); return i * 2; },
            new ParallelOptionsRivulet { MaxDegreeOfParallelism = 8, OrderedOutput = true });

        Assert.Equal(Enumerable.Range(0, 100).Select(i => i * 2), results);
    }

    [Fact]
    public async Task Every_option_is_converted()
    {
        var log = new List<string>();
        var options = new ParallelOptionsRivulet
        {
            MaxDegreeOfParallelism = 1,
            PerItemTimeout = TimeSpan.FromMinutes(1),
            ErrorMode = ErrorMode.BestEffort,
            MaxRetries = 1,
            IsTransient = failure => failure is FormatException,
            BaseDelay = TimeSpan.Zero,
            BackoffStrategy = BackoffStrategy.LinearJitter,
            ChannelCapacity = 16,
            OnStartItemAsync = i => { log.Add($"start {i}"); return default; },
            OnCompleteItemAsync = i => { log.Add($"complete {i}"); return default; },
            OnRetryAsync = (i, attempt, _) => { log.Add($"retry {i} {attempt}"); return default; },
            OnErrorAsync = (i, _) => { log.Add($"error {i}"); return ValueTask.FromResult(true); },
            OnDrainAsync = i => { log.Add($"drain {i}"); return default; },
            RateLimit = new RateLimitOptions { TokensPerSecond = 1_000_000 },
            CircuitBreaker = new CircuitBreakerOptions { FailureThreshold = 10 },
            AdaptiveConcurrency = new AdaptiveConcurrencyOptions { MaxConcurrency = 1 },
            Progress = new ProgressOptions { OnProgress = p => { log.Add($"progress {p.ItemsCompleted} of {p.TotalItems}, {p.ErrorCount} failed"); return default; } },
            Metrics = new MetricsOptions { OnMetricsSample = m => { log.Add($"retries {m.TotalRetries}"); return default; } },
        };

        await new[] { 0, 1 }.ForEachParallelAsync((i, _) => i == 1 ? throw new FormatException() : default, new ParallelOptionsRivulet(options));

        Assert.Equal(
            ["start 0", "complete 0", "start 1", "retry 1 1", "error 1", "drain 2", "progress 1 of 2, 1 failed", "retries 1"], log);
    }

    [Fact]
    public async Task Fallback_gives_the_result_of_a_failed_item()
    {
        var results = await new[] { 1, 2 }.SelectParallelAsync(
            (i, _) => i == 2 ? throw new FormatException() : ValueTask.FromResult(i), new ParallelOptionsRivulet { OnFallback = (_, _) => -1 });

        Assert.Equal([1, -1], results);
    }

    [Theory]
    [InlineData(null, "OnFallback returned null, but the operator's results are Int32.")]
    [InlineData("none", "OnFallback returned String, but the operator's results are Int32.")]
    public async Task Fallback_of_another_type_is_told_beside_the_failure(object? made, string message)
    {
        var thrown = await Assert.ThrowsAsync<AggregateException>(() => new[] { 1 }.SelectParallelAsync<int, int>(
            (_, _) => throw new FormatException(), new ParallelOptionsRivulet { OnFallback = (_, _) => made }));

        Assert.IsType<FormatException>(thrown.InnerExceptions[0]);
        Assert.Equal(message, Assert.IsType<InvalidCastException>(thrown.InnerExceptions[1]).Message);
    }

    [Fact]
    public async Task Null_is_a_fallback_of_a_result_that_may_be_null()
    {
        var results = await new[] { 1 }.SelectParallelAsync<int, string>(
            (_, _) => throw new FormatException(), new ParallelOptionsRivulet { OnFallback = (_, _) => null });

        Assert.Null(Assert.Single(results));
    }

    [Fact]
    public async Task Predicate_for_cancellations_repeats_an_item_that_ran_out_of_time()
    {
        var attempts = 0;
        var options = new ParallelOptionsRivulet
        {
            PerItemTimeout = TimeSpan.FromMilliseconds(20),
            MaxRetries = 2,
            BaseDelay = TimeSpan.Zero,
            IsTransient = failure => failure is HttpRequestException or TaskCanceledException,
        };

        await Assert.ThrowsAsync<TimeoutException>(() => new[] { 1 }.ForEachParallelAsync(
            async (_, ct) =>
            {
                attempts++;
                await Task.Delay(Timeout.InfiniteTimeSpan, ct);
            }, options));

        Assert.Equal(3, attempts);
    }

    [Fact]
    public async Task Batches_and_streams_keep_their_shapes()
    {
        List<int> sums = await Enumerable.Range(0, 10).BatchParallelAsync(4, (IReadOnlyList<int> batch, CancellationToken _) => ValueTask.FromResult(batch.Sum()));
        var streamed = new List<int>();
        await foreach (var count in Enumerable.Range(0, 10).ToAsyncEnumerable().BatchParallelStreamAsync(
            4, (batch, _) => ValueTask.FromResult(batch.Count), new ParallelOptionsRivulet { OrderedOutput = true }, TimeSpan.FromSeconds(1)))
            streamed.Add(count);

        Assert.Equal([6, 22, 17], sums);
        Assert.Equal([4, 4, 2], streamed);
    }

    [Fact]
    public async Task Collected_errors_are_an_aggregate()
        => await Assert.ThrowsAnyAsync<AggregateException>(() => new[] { 1 }.SelectParallelAsync<int, int>(
            (_, _) => throw new FormatException(), new ParallelOptionsRivulet { ErrorMode = ErrorMode.CollectAndContinue }));
}
