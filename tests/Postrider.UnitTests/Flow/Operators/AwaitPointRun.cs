using System.Runtime.CompilerServices;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Operators;

/// <summary>One operation with source, hooks, limit, bulkhead and retry that all wait, interrupted at its <paramref name="at"/>th wait.</summary>
#pragma warning disable CA1001 // A source that is never linked and has no timer holds nothing to release.
internal sealed class AwaitPointRun(FlowOperator flowOperator, Interruption interruption, int at, bool inTheMiddle, TestClock time)
{
    private const int Items = 7;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _cancel = new();
    private readonly FlowControl _control = new();
    private readonly Bulkhead _bulkhead = new(2);
    private readonly Lock _gate = new();   // guards the books below
    private readonly HashSet<int> _delivered = [];
    private readonly Fault _fault = new();
    private int _points;
    private int _running;
    private int _faultsThrown;
    private bool _sourceIsOpen;
    private bool _interrupted;
    private bool _leaves;
    private bool _failedOnce;

    public int Points => _points;

    public void Run()
    {
        var task = RunOperatorAsync();
        VirtualRun.Drive(task, time, ToString());

        var failure = task.Exception?.InnerException;
        Assert.True(failure is null or OperationCanceledException || (ReferenceEquals(failure, _fault) && _faultsThrown == 1), $"{this}: {failure}");
        if (_faultsThrown == 1 && !(flowOperator == FlowOperator.Outcomes && interruption == Interruption.BodyFault))
            Assert.True(ReferenceEquals(failure, _fault), $"{this}: the fault was lost: {failure}");
        if (!_interrupted)
            Assert.True(task.IsCompletedSuccessfully && _delivered.Count == Items, $"{this}: {_delivered.Count} of {Items} were delivered.");
        Assert.True((_running, _bulkhead.Used, _bulkhead.Waiting, _sourceIsOpen) == (0, 0L, 0, false), $"{this}: {_running} run, {_bulkhead.Used} used, {_bulkhead.Waiting} wait, source open: {_sourceIsOpen}.");
        // A thread that saw the end of the operation first may still be on its way to its timer.
        var max = _interrupted && inTheMiddle ? 1 : 0;
        Assert.True(SpinWait.SpinUntil(() => time.ArmedTimers <= max, Patience), $"{this}: {time.ArmedTimers} timers are left.");
    }

    public override string ToString() => $"{flowOperator}, {interruption} at {at}{(inTheMiddle ? " in the middle" : "")}";

    private async Task RunOperatorAsync()
    {
        var ct = _cancel.Token;
        switch (flowOperator)
        {
            case FlowOperator.ForEach:
                await Source().ForEachParallelAsync(async (i, token) => Deliver(await BodyAsync(i, token)), Options(), ct);
                break;
            case FlowOperator.Select:
                Deliver(await Source().SelectParallelAsync(BodyAsync, Options(), ct));
                break;
            case FlowOperator.Stream:
                await ReadAsync(Source().SelectParallelStreamAsync(BodyAsync, Options(), ct));
                break;
            case FlowOperator.OrderedStream:
                await ReadAsync(Source().SelectParallelStreamAsync(BodyAsync, Options() with { Order = ResultOrder.Source, Window = 3 }, ct));
                break;
            case FlowOperator.Outcomes:
                Deliver([.. (await Source().SelectOutcomesAsync(BodyAsync, Options(), ct)).Where(outcome => outcome.HasValue).Select(outcome => outcome.Value)]);
                break;
            case FlowOperator.Batch:
                Deliver([.. (await Source().BatchParallelAsync(2, BatchAsync, options: Options(), ct: ct)).SelectMany(batch => batch)]);
                break;
            case FlowOperator.BatchStream:
                await ReadAsync(Source().BatchParallelStreamAsync(2, BatchAsync, TimeSpan.FromMilliseconds(1.5), Options(), ct));
                break;
            default:
                await ReadAsync(FlowPipeline.Of<int>(Options()).Select(BodyAsync).Tap((_, token) => PointAsync(Interruption.HookFault, token))
                    .Batch(2, static (batch, _) => ValueTask.FromResult(batch.ToArray()), TimeSpan.FromMilliseconds(1.5)).RunAsync(Source(), ct));
                break;
        }
    }

    private FlowOptions Options() => new()
    {
        MaxConcurrency = 3,
        MaxThreads = 1,
        TimeProvider = time,
        Bulkhead = _bulkhead,
        RateLimit = new RateLimiter(500, burst: 2, time),
        Retry = new RetryPolicy { BaseDelay = TimeSpan.FromMilliseconds(2), Backoff = Backoff.Constant, Handle = static failure => failure is Passing },
        Control = _control,
        Hooks = new FlowHooks
        {
            OnStart = _ => PointAsync(Interruption.HookFault, CancellationToken.None),
            OnSuccess = _ => PointAsync(Interruption.HookFault, CancellationToken.None),
            OnRetry = (_, _, _, _) => PointAsync(Interruption.HookFault, CancellationToken.None),
        },
    };

    private async IAsyncEnumerable<int> Source([EnumeratorCancellation] CancellationToken ct = default)
    {
        _sourceIsOpen = true;
        try
        {
            for (var i = 0; i < Items; i++)
            {
                await PointAsync(Interruption.SourceFault, ct);
                yield return i;
            }
            await PointAsync(Interruption.SourceFault, ct);
        }
        finally
        {
            _sourceIsOpen = false;
        }
    }

    private async ValueTask<int> BodyAsync(int item, CancellationToken ct)
    {
        Interlocked.Increment(ref _running);
        try
        {
            await PointAsync(Interruption.BodyFault, ct);
            if (item == 2 && !_failedOnce)
            {
                _failedOnce = true;
                throw new Passing();
            }
            await PointAsync(Interruption.BodyFault, ct);
            return item;
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    private async ValueTask<int[]> BatchAsync(Batch<int> batch, CancellationToken ct)
    {
        var items = batch.ToArray();
        foreach (var item in items)
            await BodyAsync(item, ct);
        return items;
    }

    private async Task ReadAsync<T>(IAsyncEnumerable<T> stream)
    {
        await foreach (var result in stream)
        {
            Deliver(result is int[] batch ? batch : [(int)(object)result!]);
            if (_leaves)
                break;
        }
    }

    // A wait of a millisecond, and the place of the interruption when it is this one's turn.
    private async ValueTask PointAsync(Interruption faultHere, CancellationToken ct)
    {
        var here = Interlocked.Increment(ref _points) - 1;
        // Points of several items meet here on several threads: one of them interrupts.
        if (here >= at && (faultHere == interruption || interruption is Interruption.Cancel or Interruption.Drain or Interruption.Leave)
            && !Interlocked.Exchange(ref _interrupted, true))
        {
            if (interruption == faultHere)
            {
                if (inTheMiddle)
                    await time.DelayAsync(1, CancellationToken.None);
                Interlocked.Increment(ref _faultsThrown);
                throw _fault;
            }
            if (inTheMiddle)
                _ = time.CreateTimer(static run => ((AwaitPointRun)run!).Interrupt(), this, TimeSpan.FromMilliseconds(0.5), Timeout.InfiniteTimeSpan);
            else
                Interrupt();
        }
        await time.DelayAsync(1, ct);
    }

    private void Interrupt()
    {
        if (interruption == Interruption.Cancel)
            _cancel.Cancel();
        else if (interruption == Interruption.Drain)
            _control.Drain();
        else
            _leaves = true;
    }

    private void Deliver(params int[] items)
    {
        lock (_gate)
        {
            foreach (var item in items)
                Assert.True(_delivered.Add(item), $"{this}: item {item} was delivered twice.");
        }
    }

    private sealed class Fault : Exception;

    private sealed class Passing : Exception;
}
