using System.Threading.Channels;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Operators;

/// <summary>One random operation and what must hold for it, whatever happens.</summary>
#pragma warning disable CA1001 // A source that is never linked and has no timer holds nothing to release.
internal sealed class Schedule
{
    private readonly Random _random;
    private readonly TestClock _time;
    private readonly CancellationTokenSource _cancel = new();
    private readonly FlowControl _control = new();
    private readonly ConcurrencyLimit _limit;
    private readonly Bulkhead _bulkhead = new(5);
    private readonly FlowOptions<int, int> _options;
    private readonly Lock _gate = new();   // guards the books below
    private readonly HashSet<Exception> _thrown = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Exception> _told = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<int> _delivered = [];
    private readonly int _items;
    private readonly int _largestLimit;
    private readonly int _operator;
    private readonly int _source;
    private readonly int _sourceFaultAt;
    private readonly int _breakAt;
    private int _running;
    private int _mostRunning;
    private bool _over;
    private Task? _task;

    public Schedule(int seed, TestClock time)
    {
        _random = new Random(seed);
        _time = time;
        _items = _random.Next(0, 25);
        _limit = new ConcurrencyLimit(_random.Next(1, 5));
        _largestLimit = Math.Max(_limit.Value, 6);
        _operator = _random.Next(8);
        _source = _random.Next(4);
        _sourceFaultAt = Chance(8) ? _random.Next(0, 25) : int.MaxValue;
        _breakAt = Chance(3) ? _random.Next(1, 10) : int.MaxValue;
        var hookFaultAt = Chance(20) ? _random.Next(25) : int.MaxValue;
        _options = new FlowOptions<int, int>
        {
            MaxConcurrency = Chance(2) ? _limit : _random.Next(1, 6),
            MaxThreads = Chance(4) ? null : 1,
            Errors = (ErrorMode)_random.Next(3),
            Order = (ResultOrder)_random.Next(2),
            Window = _random.Next(1, 12),
            TimeProvider = time,
            Retry = Chance(2) ? new RetryPolicy { MaxAttempts = _random.Next(1, 4), BaseDelay = Milliseconds(5), Backoff = (Backoff)_random.Next(6), HoldSlot = Chance(3), Random = new Random(seed) } : null,
            ItemTimeout = Chance(4) ? Milliseconds(12) : TimeSpan.Zero,
            Deadline = Chance(6) ? Milliseconds(60) : TimeSpan.Zero,
            RateLimit = Chance(5) ? new RateLimiter(300, burst: 3, time) : null,
            CircuitBreaker = Chance(4) ? new CircuitBreaker(new() { FailureThreshold = 3, OpenTime = Milliseconds(10), SuccessThreshold = 1, TimeProvider = time }) : null,
            Bulkhead = Chance(4) ? _bulkhead : null,
            Adaptive = Chance(8) ? new AdaptiveLimit(new() { Algorithm = (AdaptiveAlgorithm)_random.Next(3), InitialConcurrency = 2, MaxConcurrency = _largestLimit, MinimumSamples = 2, Window = Milliseconds(5), TimeProvider = time }) : null,
            // The body of a for-each delivers, and a hedged one may run twice.
            Hedge = Chance(8) && _operator != 0 ? new Hedge { Delay = Milliseconds(5), MaxAttempts = 2 } : null,
            Key = Chance(4) ? ItemKey<int>.By(item => item % 3) : null,
            Control = Chance(3) ? _control : null,
            Fallback = Chance(8) && _operator != 0 ? (_, failure) => { ReportOutcome(failure.Exception); return -1; } : null,
            Hooks = new FlowHooks
            {
                OnStart = index => index == hookFaultAt ? throw new HookFault() : HookAsync(),
                OnRetry = (_, _, exception, _) => { ReportOutcome(exception); return HookAsync(); },
                OnFailure = async failure => { ReportOutcome(failure.Exception); await HookAsync(); return true; },
            },
        };
    }

    public override string ToString() => $"operator {_operator}, source {_source}, {_items} items, "
        + $"break at {_breakAt}, source fault at {_sourceFaultAt}, {_options}".Replace("System.Func", "", StringComparison.Ordinal);

    public void Run()
    {
        var task = _task = RunOperatorAsync();
        PlanEvents();
        VirtualRun.Drive(task, _time, "");
        _over = true;

        Check(task);
    }

    private async Task RunOperatorAsync()
    {
        var list = _source switch { 0 => Enumerable.Range(0, _items).ToArray(), 1 => Lazy(), _ => (IEnumerable<int>?)null };
        var source = _source == 3 ? Channelled() : Async();
        var ct = _cancel.Token;
        switch (_operator)
        {
            case 0:
                await (list?.ForEachParallelAsync(EachAsync, _options, ct) ?? source.ForEachParallelAsync(EachAsync, _options, ct));
                break;
            case 1:
                DeliverInOrder(await (list?.SelectParallelAsync(BodyAsync, _options, ct) ?? source.SelectParallelAsync(BodyAsync, _options, ct)));
                break;
            case 2:
            case 3:
                await ReadAsync(list?.SelectParallelStreamAsync(BodyAsync, _options, ct) ?? source.SelectParallelStreamAsync(BodyAsync, _options, ct), isSlow: _operator == 3);
                break;
            case 4:
                var outcomes = await (list?.SelectOutcomesAsync(BodyAsync, _options, ct) ?? source.SelectOutcomesAsync(BodyAsync, _options, ct));
                Assert.Equal(Enumerable.Range(0, outcomes.Length).Select(i => (long)i), outcomes.Select(outcome => outcome.Index));
                foreach (var outcome in outcomes.Where(outcome => outcome.Reason == OutcomeReason.Succeeded))
                    Deliver(outcome.Value, (int)outcome.Index);
                break;
            case 5:
                var batches = await (list?.BatchParallelAsync(3, BatchAsync, ForBatches(), ct) ?? source.BatchParallelAsync(3, BatchAsync, options: ForBatches(), ct: ct));
                DeliverInOrder([.. batches.SelectMany(batch => batch)]);
                break;
            case 6:
                await ReadAsync(Flat(list?.BatchParallelStreamAsync(3, BatchAsync, ForBatches(), ct) ?? source.BatchParallelStreamAsync(3, BatchAsync, Milliseconds(4), ForBatches(), ct)), isSlow: false);
                break;
            default:
                var stages = FlowPipeline.Of<int>(ForBatches() with { Errors = ErrorMode.Stop }).Select(BodyAsync, _options)
                    .Batch(2, (batch, _) => ValueTask.FromResult(batch.ToArray()), Milliseconds(3));
                await ReadAsync(Flat(list is null ? stages.RunAsync(source, ct) : stages.RunAsync(list, ct)), isSlow: false);
                break;
        }
    }

    // Options that look at items of one type do not fit batches of them.
    private FlowOptions ForBatches() => new()
    {
        MaxConcurrency = _options.MaxConcurrency,
        MaxThreads = _options.MaxThreads,
        Errors = _options.Errors,
        Order = _options.Order,
        Window = _options.Window,
        TimeProvider = _time,
        Retry = _options.Retry,
        ItemTimeout = _options.ItemTimeout,
        Deadline = _options.Deadline,
        RateLimit = _options.RateLimit,
        CircuitBreaker = _options.CircuitBreaker,
        Bulkhead = _options.Bulkhead,
        Adaptive = _options.Adaptive,
        Control = _options.Control,
        Hooks = _options.Hooks,
    };

    private async Task ReadAsync(IAsyncEnumerable<int> stream, bool isSlow)
    {
        var (last, taken) = (-1, 0);
        await foreach (var result in stream)
        {
            if (result >= 0)
                Deliver(result, result);
            if (_options.Order == ResultOrder.Source && result >= 0)
                Assert.True(result > last, $"{result} came after {last}.");
            last = Math.Max(last, result);
            if (++taken == _breakAt)
                break;
            if (isSlow)
                await _time.DelayAsync(2, CancellationToken.None);
        }
    }

    private void DeliverInOrder(int[] results)
    {
        var good = results.Where(result => result >= 0).ToArray();
        Assert.Equal(good.Order(), good);
        foreach (var result in good)
            Deliver(result, result);
    }

    private async ValueTask EachAsync(int item, CancellationToken ct) => Deliver(item, await BodyAsync(item, ct));

    private async ValueTask<int[]> BatchAsync(Batch<int> batch, CancellationToken ct)
    {
        var items = batch.ToArray();
        foreach (var item in items)
            await BodyAsync(item, ct);
        return items;
    }

    private static async IAsyncEnumerable<int> Flat(IAsyncEnumerable<int[]> batches)
    {
        await foreach (var batch in batches)
        {
            foreach (var item in batch)
                yield return item;
        }
    }

    private ValueTask<int> BodyAsync(int item, CancellationToken ct)
    {
        Assert.False(_over, $"The body of item {item} was called after the operation had ended.");
        int what, delay;
        lock (_gate)
            (what, delay) = (_random.Next(10), _random.Next(0, 20));
        switch (what)
        {
            case < 3:
                Enter();
                Leave();
                return ValueTask.FromResult(item);
            case 3:
                Enter();
                Leave();
                throw NewFault();
            default:
                return WaitAsync();
        }

        async ValueTask<int> WaitAsync()
        {
            Enter();
            try
            {
                // Some bodies do not look at their token.
                await _time.DelayAsync(delay, what == 9 ? CancellationToken.None : ct);
                if (what is 4 or 5)
                    throw NewFault();
                return item;
            }
            finally
            {
                Leave();
            }
        }
    }

    private void PlanEvents()
    {
        if (Chance(4))
            At(_random.Next(0, 60), _cancel.Cancel);
        if (_options.Control is not null)
        {
            var pause = _random.Next(0, 40);
            At(pause, _control.Pause);
            At(pause + _random.Next(0, 40), _control.Resume);
            if (Chance(3))
                At(_random.Next(0, 60), _control.Drain);
        }
        for (var i = _random.Next(3); i > 0; i--)
        {
            var value = _random.Next(1, _largestLimit + 1);
            At(_random.Next(0, 60), () => _limit.Value = value);
        }
    }

    private void Check(Task task)
    {
        var failure = task.Exception?.InnerException;
        if (failure is Xunit.Sdk.XunitException)
            throw failure;
        Assert.Equal(0, _running);
        // A hedged call is a second one of the same item, and the failure of the one that lost is told to nobody.
        var hedged = _options.Hedge is not null && _operator is not (5 or 6);
        Assert.InRange(_mostRunning, 0, hedged ? 2 * _largestLimit : _largestLimit);
        Assert.Equal((0L, 0), (_bulkhead.Used, _bulkhead.Waiting));
        Assert.True(hedged ? _thrown.IsSupersetOf(_told) : _thrown.SetEquals(_told), $"{_thrown.Count} exceptions were thrown and {_told.Count} were told.");
        // Two stages of a pipeline may fail, each in its way.
        Assert.True(failure is null || IsExpected(failure) || (failure is AggregateException several && several.InnerExceptions.All(IsExpected)), $"{failure}");
        var mayStop = _cancel.IsCancellationRequested || _options.Deadline > TimeSpan.Zero || _control.IsDraining || _sourceFaultAt < _items
            || _breakAt != int.MaxValue || _options.CircuitBreaker is not null || _options.ItemTimeout > TimeSpan.Zero || _options.Hooks!.OnStart is null;
        if (task.IsCompletedSuccessfully && !mayStop && _thrown.Count == 0)
            Assert.Equal(_items, _delivered.Count);
        // Timers left over belong to events that were planned for later than the end.
        while (_time.AdvanceToNextTimer())
        {
        }
        Assert.Equal(0, _running);
    }

    private static bool IsExpected(Exception failure)
        => failure is Fault or HookFault or SourceFault or TimeoutException or CircuitBreakerOpenException or FlowFailuresException or OperationCanceledException;

    private void Enter()
    {
        var running = Interlocked.Increment(ref _running);
        lock (_gate)
            _mostRunning = Math.Max(_mostRunning, running);
    }

    private void Leave() => Interlocked.Decrement(ref _running);

    private void Deliver(int item, int result)
    {
        lock (_gate)
            Assert.True(_delivered.Add(item), $"Item {item} was delivered twice ({result}).");
    }

    private Fault NewFault()
    {
        var fault = new Fault();
        lock (_gate)
            _thrown.Add(fault);
        return fault;
    }

    private void ReportOutcome(Exception exception)
    {
        lock (_gate)
        {
            if (exception is AggregateException { InnerExceptions: [Fault inner, ..] })
                exception = inner;
            if (exception is Fault)
                Assert.True(_told.Add(exception), "An exception was told twice.");
        }
    }

    private ValueTask HookAsync()
    {
        lock (_gate)
            return _random.Next(10) == 0 ? new ValueTask(_time.DelayAsync(1, CancellationToken.None)) : default;
    }

    private IEnumerable<int> Lazy()
    {
        for (var i = 0; i < _items; i++)
        {
            if (i == _sourceFaultAt)
                throw new SourceFault();
            yield return i;
        }
    }

    private async IAsyncEnumerable<int> Async([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct = default)
    {
        for (var i = 0; i < _items; i++)
        {
            if (i == _sourceFaultAt)
                throw new SourceFault();
            int wait;
            lock (_gate)
                wait = _random.Next(-5, 8);
            if (wait >= 0)
                await _time.DelayAsync(wait, ct);
            yield return i;
        }
    }

    // Somebody else fills the channel, some items at once and some as time goes by.
    private IAsyncEnumerable<int> Channelled()
    {
        var channel = Channel.CreateUnbounded<int>(new UnboundedChannelOptions { AllowSynchronousContinuations = true });
        var moment = 0;
        for (var i = 0; i < Math.Min(_items, _sourceFaultAt); i++)
        {
            var item = i;
            moment += _random.Next(0, 3);
            At(moment, () => channel.Writer.TryWrite(item));
        }
        At(moment + 1, () => channel.Writer.TryComplete(_sourceFaultAt < _items ? new SourceFault() : null));
        return channel.Reader.ReadAllAsync();
    }

    private void At(int milliseconds, Action action)
        => _time.CreateTimer(state => ((Action)state!)(), action, Milliseconds(milliseconds), Timeout.InfiniteTimeSpan);

    private bool Chance(int oneIn) => _random.Next(oneIn) == 0;

    private static TimeSpan Milliseconds(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private sealed class Fault : Exception;

    private sealed class HookFault : Exception;

    private sealed class SourceFault : Exception;
}
