using System.Collections.Concurrent;
using Postrider.Compat.Rivulet;
using Postrider.Resilience;

namespace Postrider.UnitTests.Compat.Rivulet;

/// <summary>How Rivulet's operators end when something of the caller's stops them or throws.</summary>
public class RivuletEndTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Error_hook_that_says_no_ends_a_best_effort_list_with_what_there_is()
    {
        var results = await Numbers(10).SelectParallelAsync(FailOnFive, Refusing(ErrorMode.BestEffort)).WaitAsync(Patience);

        Assert.Equal([0, 1, 2, 3, 4], results);
    }

    [Fact]
    public async Task Error_hook_that_says_no_ends_a_collecting_list_with_the_failures()
    {
        var thrown = await Assert.ThrowsAnyAsync<AggregateException>(
            () => Numbers(10).SelectParallelAsync(FailOnFive, Refusing(ErrorMode.CollectAndContinue)).WaitAsync(Patience));

        Assert.IsType<FormatException>(Assert.Single(thrown.InnerExceptions));
    }

    [Fact]
    public async Task Error_hook_that_says_no_ends_a_list_that_fails_fast_with_the_failure()
        => await Assert.ThrowsAsync<FormatException>(
            () => Numbers(10).SelectParallelAsync(FailOnFive, Refusing(ErrorMode.FailFast)).WaitAsync(Patience));

    [Fact]
    public async Task Error_hook_that_says_no_cancels_a_best_effort_stream()
    {
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ReadAsync(ErrorMode.BestEffort).WaitAsync(Patience));

        Assert.IsType<FormatException>(cancelled.InnerException);
    }

    [Fact]
    public async Task Error_hook_that_says_no_ends_a_collecting_stream_with_the_failures()
        => await Assert.ThrowsAnyAsync<AggregateException>(() => ReadAsync(ErrorMode.CollectAndContinue).WaitAsync(Patience));

    [Fact]
    public async Task Cancelled_best_effort_list_has_what_there_was()
    {
        using var cancel = new CancellationTokenSource();
        var options = new ParallelOptionsRivulet { ErrorMode = ErrorMode.BestEffort, MaxDegreeOfParallelism = 1 };

        var results = await Numbers(10).SelectParallelAsync(
            async (i, ct) =>
            {
                if (i == 3)
                    await cancel.CancelAsync();
                ct.ThrowIfCancellationRequested();
                return i;
            }, options, cancel.Token).WaitAsync(Patience);

        Assert.Equal([0, 1, 2], results);
    }

    [Fact]
    public async Task Callbacks_that_throw_fail_nothing_at_once_or_later()
    {
        var mark = new FormatException();
        var reported = new ConcurrentQueue<string>();
        var all = new TaskCompletionSource();
        string[] expected =
        [
            "CircuitBreaker.OnStateChange", "FlowHooks.OnDrain", "MetricsOptions.OnMetricsSample", "ProgressOptions.OnProgress",
        ];
        void Note(ObserverError error)
        {
            if (!ReferenceEquals(error.Exception, mark))
                return;
            reported.Enqueue(error.Observer);
            if (expected.All(reported.Contains))
                all.TrySetResult();
        }

        var options = new ParallelOptionsRivulet
        {
            ErrorMode = ErrorMode.BestEffort,
            MaxDegreeOfParallelism = 1,
            CircuitBreaker = new() { FailureThreshold = 1, OnStateChange = (_, _) => throw mark },
            Progress = new() { OnProgress = async _ => { await Task.Yield(); throw mark; } },
            Metrics = new() { OnMetricsSample = _ => throw mark },
            OnDrainAsync = _ => throw mark,
        };
        ObserverErrors.Thrown += Note;
        try
        {
            Assert.Equal([0, 1, 2, 3, 4], await Numbers(10).SelectParallelAsync(FailOnFive, options).WaitAsync(Patience));
            await all.Task.WaitAsync(Patience);
        }
        finally
        {
            ObserverErrors.Thrown -= Note;
        }
    }

    [Fact]
    public async Task Change_of_concurrency_whose_callback_throws_fails_nothing()
    {
        var (mark, changes, reported) = (new FormatException(), 0, 0);
        void Note(ObserverError error)
        {
            if (ReferenceEquals(error.Exception, mark))
                Interlocked.Increment(ref reported);
        }

        var options = new ParallelOptionsRivulet
        {
            MaxDegreeOfParallelism = 4,
            AdaptiveConcurrency = new()
            {
                MaxConcurrency = 4,
                SampleInterval = TimeSpan.FromTicks(1),
                OnConcurrencyChange = (_, _) => { Interlocked.Increment(ref changes); throw mark; },
            },
        };
        ObserverErrors.Thrown += Note;
        try
        {
            await Enumerable.Range(0, int.MaxValue).TakeWhile(_ => Volatile.Read(ref changes) < 2)
                .ForEachParallelAsync(static (_, _) => default, options).WaitAsync(Patience);
        }
        finally
        {
            ObserverErrors.Thrown -= Note;
        }

        Assert.InRange(reported, 2, changes);
    }

    [Fact]
    public async Task Last_sample_comes_when_the_first_failure_ends_the_operation()
    {
        var samples = new List<MetricsSnapshot>();
        var options = new ParallelOptionsRivulet
        {
            MaxDegreeOfParallelism = 1,
            Metrics = new() { OnMetricsSample = sample => { samples.Add(sample); return default; } },
        };

        await Assert.ThrowsAsync<FormatException>(() => Numbers(10).SelectParallelAsync(FailOnFive, options).WaitAsync(Patience));

        Assert.Equal(1, Assert.Single(samples).TotalFailures);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public async Task Size_of_batches_below_one_is_refused_by_its_name(int size)
    {
        var refused = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => Numbers(3).BatchParallelAsync(size, static (batch, _) => ValueTask.FromResult(batch.Count)));

        Assert.Equal("batchSize", refused.ParamName);
    }

    private static ParallelOptionsRivulet Refusing(ErrorMode mode)
        => new() { ErrorMode = mode, MaxDegreeOfParallelism = 1, OnErrorAsync = static (_, _) => ValueTask.FromResult(false) };

    private static async Task ReadAsync(ErrorMode mode)
    {
        await foreach (var result in Numbers(10).ToAsyncEnumerable().SelectParallelStreamAsync(FailOnFive, Refusing(mode)))
            Assert.InRange(result, 0, 4);
    }

    private static ValueTask<int> FailOnFive(int i, CancellationToken ct) => i == 5 ? throw new FormatException() : ValueTask.FromResult(i);

    private static int[] Numbers(int count) => [.. Enumerable.Range(0, count)];
}
