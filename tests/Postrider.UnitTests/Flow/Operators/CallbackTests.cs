using System.Collections.Concurrent;
using System.Threading.Tasks.Sources;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Operators;

/// <summary>Callers' code that throws, or ends the operation, where it is least convenient.</summary>
public class CallbackTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TestClock _time = new();

    [Fact]
    public async Task Token_callback_that_throws_does_not_keep_a_cancelled_operation_from_ending()
    {
        using var cancel = new CancellationTokenSource();
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var task = Numbers(4).ForEachParallelAsync(BodyAsync, new FlowOptions { MaxConcurrency = 4, ItemTimeout = TimeSpan.FromMinutes(1), TimeProvider = _time }, cancel.Token);

        await cancel.CancelAsync();
        release.SetResult();

        var thrown = await Assert.ThrowsAsync<AggregateException>(() => task.WaitAsync(Patience));
        Assert.Contains(thrown.Flatten().InnerExceptions, exception => exception is FormatException);
        Assert.Contains(thrown.Flatten().InnerExceptions, exception => exception is OperationCanceledException);

        // Bodies that end within the cancellation may end the operation before the callback has thrown.
        async ValueTask BodyAsync(int item, CancellationToken ct)
        {
            if (item == 0) ct.Register(static () => throw new FormatException());
            await release.Task;
            ct.ThrowIfCancellationRequested();
        }
    }

    [Fact]
    public async Task Token_callback_that_throws_at_an_item_timeout_ends_the_operation()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var task = Numbers(2).ForEachParallelAsync(BodyAsync, new FlowOptions { MaxConcurrency = 4, ItemTimeout = TimeSpan.FromSeconds(1), Errors = ErrorMode.Skip, TimeProvider = _time });

        _time.Advance(TimeSpan.FromSeconds(2));
        release.SetResult();

        var thrown = await Assert.ThrowsAsync<AggregateException>(() => task.WaitAsync(Patience));
        Assert.Contains(thrown.Flatten().InnerExceptions, exception => exception is FormatException);

        // Bodies that end within the timeout may end the operation before the callback has thrown.
        async ValueTask BodyAsync(int item, CancellationToken ct)
        {
            if (item == 0) ct.Register(static () => throw new FormatException());
            await release.Task;
            ct.ThrowIfCancellationRequested();
        }
    }

    [Fact]
    public async Task Drain_hook_that_throws_ends_neither_the_operation_nor_the_progress()
    {
        var reports = 0;
        var task = Numbers(1).ForEachParallelAsync(static (_, _) => default, new FlowOptions
        {
            TimeProvider = _time,
            Progress = new Report(_ => reports++),
            Hooks = new() { OnDrain = static _ => throw new FormatException() },
        });

        await task;
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((1, 0), (reports, _time.ArmedTimers));
    }

    [Fact]
    public async Task Progress_may_cancel_what_it_reports()
    {
        using var cancel = new CancellationTokenSource();
        var options = new FlowOptions { ProgressInterval = TimeSpan.FromMilliseconds(5), Progress = new Report(_ => cancel.Cancel()) };

        // The body ends inside Cancel, and with it the operation.
        var task = Numbers(2).ForEachParallelAsync(
            static (_, ct) =>
            {
                var ended = new TaskCompletionSource();
                ct.Register(() => ended.TrySetCanceled(ct));
                return new ValueTask(ended.Task);
            }, options, cancel.Token);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.WaitAsync(Patience));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public async Task Callback_of_the_adaptive_limit_that_throws_does_not_end_the_operation(int timeoutSeconds)
    {
        var calls = 0;
        var changes = 0;
        var limit = new AdaptiveLimit(new()
        {
            InitialConcurrency = 2,
            MinimumSamples = 1,
            Window = TimeSpan.FromTicks(1),
            OnChange = (_, _) => { Interlocked.Increment(ref changes); throw new FormatException(); },
        });
        var options = new FlowOptions { Adaptive = limit, ItemTimeout = TimeSpan.FromSeconds(timeoutSeconds) };

        await Enumerable.Range(0, int.MaxValue).TakeWhile(_ => Volatile.Read(ref changes) < 2)
            .ForEachParallelAsync((_, _) => { Interlocked.Increment(ref calls); return default; }, options).WaitAsync(Patience);

        Assert.True(calls >= 2);
    }

    [Fact]
    public async Task What_observers_throw_is_reported_by_name_and_fails_nothing()
    {
        var mark = new FormatException();
        var thrown = new ConcurrentQueue<string>();
        void Note(ObserverError error)
        {
            if (ReferenceEquals(error.Exception, mark))
                thrown.Enqueue(error.Observer);
        }

        // Time stands until it is driven: the second item always waits for the rate limit.
        var time = new TestClock();
        var breaker = new CircuitBreaker(new() { FailureThreshold = 1, OnStateChange = (_, _) => throw mark });
        var options = new FlowOptions
        {
            Errors = ErrorMode.Skip,
            MaxConcurrency = 1,
            CircuitBreaker = breaker,
            RateLimit = new RateLimiter(1000, burst: 1, time),
            TimeProvider = time,
            Progress = new Report(_ => throw mark),
            Hooks = new() { OnDrain = _ => throw mark, OnThrottle = (_, _) => throw mark },
        };
        ObserverErrors.Thrown += Note;
        try
        {
            var running = Numbers(3).SelectParallelAsync(static (i, _) => i == 2 ? throw new FormatException() : ValueTask.FromResult(i), options);
            VirtualRun.Drive(running, time, "observers that throw");

            var done = await running;
            Assert.Equal([0, 1], done);
        }
        finally
        {
            ObserverErrors.Thrown -= Note;
        }

        Assert.Equal(
            ["CircuitBreaker.OnStateChange", "FlowHooks.OnDrain", "FlowHooks.OnThrottle", "FlowOptions.Progress"],
            thrown.Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Subscriber_that_throws_keeps_no_other_from_the_report()
    {
        var mark = new FormatException();
        var heard = 0;
        void Fail(ObserverError error) => throw new InvalidOperationException();
        void Note(ObserverError error) => heard += ReferenceEquals(error.Exception, mark) ? 1 : 0;

        ObserverErrors.Thrown += Fail;
        ObserverErrors.Thrown += Note;
        try
        {
            await Numbers(1).ForEachParallelAsync(static (_, _) => default, new FlowOptions { Hooks = new() { OnDrain = _ => throw mark } });
        }
        finally
        {
            ObserverErrors.Thrown -= Fail;
            ObserverErrors.Thrown -= Note;
        }

        Assert.Equal(1, heard);
    }

    [Fact]
    public async Task Key_that_cannot_be_read_fails_its_item_and_no_other()
    {
        var calls = 0;
        var options = new FlowOptions<int> { Errors = ErrorMode.Collect, Retry = new(), Key = ItemKey<int>.By(i => i == 5 ? throw new FormatException() : i % 3) };

        var failures = await Assert.ThrowsAsync<FlowFailuresException>(() => Numbers(10).ForEachParallelAsync((_, _) => { Interlocked.Increment(ref calls); return default; }, options));

        var failure = Assert.Single(failures.Failures);
        Assert.Equal((5L, 0, 9), (failure.Index, failure.Attempts, calls));
        Assert.IsType<FormatException>(failure.Exception);
    }

    [Fact]
    public async Task Body_whose_wait_cannot_be_waited_for_fails_its_item()
    {
        var results = await Numbers(3).SelectParallelAsync(
            static (i, _) => i == 1 ? new ValueTask<int>(new Refusing(), 0) : ValueTask.FromResult(i), new FlowOptions { Errors = ErrorMode.Skip }).WaitAsync(Patience);

        Assert.Equal([0, 2], results);
    }

    [Fact]
    public async Task Bodies_that_end_inside_one_another_do_not_use_up_the_stack()
    {
        const int Length = 100_000;
        var ends = Enumerable.Range(0, Length).Select(_ => new Ending()).ToArray();

        await Numbers(Length).ForEachParallelAsync(
            (i, _) =>
            {
                if (i > 0)
                    ends[i - 1].End();
                return i < Length - 1 ? ends[i].Wait : default;
            }, new FlowOptions { MaxConcurrency = Length }).WaitAsync(Patience);

        Assert.All(ends[..^1], end => Assert.True(end.HasEnded));
    }

    [Fact]
    public async Task Ambient_values_that_bodies_set_do_not_reach_the_caller()
    {
        var ambient = new AsyncLocal<int>();

        await Numbers(3).ForEachParallelAsync((i, _) => { ambient.Value = i + 1; return default; });

        Assert.Equal(0, ambient.Value);
    }

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();

    private sealed class Report(Action<FlowProgress> report) : IProgress<FlowProgress>
    {
        void IProgress<FlowProgress>.Report(FlowProgress value) => report(value);
    }

    private sealed class Refusing : IValueTaskSource<int>
    {
        public int GetResult(short token) => throw new FormatException();

        public ValueTaskSourceStatus GetStatus(short token) => ValueTaskSourceStatus.Pending;

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => throw new NotSupportedException();
    }

    // Runs its continuation on whoever ends it, without a look at the stack.
    private sealed class Ending : IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> _core;

        public ValueTask Wait => new(this, _core.Version);

        public bool HasEnded => _core.GetStatus(_core.Version) == ValueTaskSourceStatus.Succeeded;

        public void End() => _core.SetResult(true);

        public void GetResult(short token) => _core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
            => _core.OnCompleted(continuation, state, token, flags);
    }
}
