// Hot path: operators -> this -> Sources, sinks. Allocations: none per item.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The loop: claims items, calls the body, delivers. A body that completes synchronously costs no task and no
/// interlocked operation; any other takes over the pump's slot, and its completion becomes a pump.</summary>
internal sealed class Pump<TItem, TResult, TPending, TSource, TBody, TSink> : SourcePump<TItem, TResult, TPending, TSource, TBody, TSink>
    where TPending : struct, IPending<TResult>
    where TSource : struct, ISource<TItem>
    where TBody : struct, IBody<TItem, TPending>
    where TSink : struct, ISink<TResult>
{
    // A chunk that takes longer does not grow: items must not queue behind a slow one (1 ms).
    private static readonly long LongChunk = Stopwatch.Frequency / 1_000;

    // Waking a thread costs some microseconds on both sides; shorter work is done before it is awake (20 us).
    private static readonly long WorthAHelper = Stopwatch.Frequency / 50_000;

    private CircuitBreaker? _breaker;
    private RateLimiter? _limiter;
    private AdaptiveLimit? _adaptive;
    private bool _armed;
    private bool _usesSlowPath;
    private bool _timed;
    private bool _clocked;
    private int _readersSize;

    internal override void Resume(ItemRun<TItem, TResult, TPending> run)
    {
        if (!run.Released)
        {
            // An item that only waited for time has not progressed: a pause holds it.
            if (run.Wait == ItemWait.Timer && IsPaused)
            {
                Enqueue(run);
                RunOwned();
                return;
            }
            RunOwned(forReader: false, run);
            return;
        }
        run.Released = false;
        if (!IsPaused && TryTakeSlot())
        {
            RunOwned(forReader: false, run);
            return;
        }
        Enqueue(run);
        ContinueWithReference();
    }

    protected override void Work(bool forReader, object? first)
    {
        var frame = default(PumpFrame<TItem, TResult, TPending>);
        frame.Size = forReader ? _readersSize : 1;
        if (first is not null && !GoOn(ref frame, Unsafe.As<ItemRun<TItem, TResult, TPending>>(first)))
            return;
        while (true)
        {
            switch (NextChunk(ref frame))
            {
                case PumpTurn.Again:
                    continue;
                case PumpTurn.Left:
                    return;
            }
            if (!RunChunk(ref frame))
                return;
            EndChunk(ref frame);
            if (forReader && Sink.HasResults)
            {
                _readersSize = frame.Size;
                ReturnSpare(ref frame);
                if (!Park(untilReaderReturns: true))
                    return;
            }
        }
    }

    protected override void Recycle()
    {
        // A pump that was stopped after its end has cancelled the source that the next run would use.
        if (!IsRecyclable || IsStopped)
            return;
        RecycleSource();
        PumpPool<Pump<TItem, TResult, TPending, TSource, TBody, TSink>>.Return(this);
    }

    protected override void Set(PumpSettings settings)
    {
        _breaker = settings.CircuitBreaker;
        _limiter = settings.RateLimit;
        _adaptive = settings.Adaptive;
        // Fast path: one breaker, one limit at cost 1, timeout, retry, adaptive limit. Any other option per item uses the slow path.
        _usesSlowPath = TSink.WantsOutcomes || settings.Typed is not null || settings.Bulkhead is not null
            || settings.Hooks is { } hooks && (hooks.OnStart ?? hooks.OnSuccess) is not null
            || settings.CircuitBreaker is { CountsSlowCalls: true };
        _timed = settings.ItemTimeout > TimeSpan.Zero;
        // A retry only acts when an item has failed.
        _armed = _usesSlowPath || _timed || _breaker is not null || _limiter is not null || _adaptive is not null;
        _clocked = _timed || settings.Adaptive is not null;
        _readersSize = 1;
    }

    private PumpTurn NextChunk(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        if (!frame.Chunk.IsEmpty)
            return PumpTurn.Run;
        if (IsOverLimit)
        {
            ReturnSpare(ref frame);
            // A parked pump keeps the run alive. If this pump left while there is work for the parked one, nothing would resume it.
            AbsorbParkedIfItMayGoOn();
            if (TryShrink())
                return PumpTurn.Left;
        }
        if (IsPaused)
        {
            ReturnSpare(ref frame);
            return Park(untilReaderReturns: false) ? PumpTurn.Again : PumpTurn.Left;
        }
        if (HasQueued && TryDequeue(out var ready, out var spill))
        {
            if (ready is not null)
                return GoOn(ref frame, ready) ? PumpTurn.Again : PumpTurn.Left;
            Load(ref frame.Chunk, spill);
            return PumpTurn.Run;
        }
        if (IsStopped)
            return LeaveOr(ref frame);
        ClaimResult claimed;
        try
        {
            var full = LanesAreFull && !Source.IsDone;
            if (TSource.FillsChunks)
                LendItems(ref frame);
            claimed = full ? ClaimResult.Full : Source.Claim(ref frame.Chunk, frame.Size, Sink.Horizon);
        }
        catch (Exception thrown)
        {
            frame.Chunk.End = frame.Chunk.Next;
            StopReading(thrown);
            return PumpTurn.Again;
        }
        switch (claimed)
        {
            case ClaimResult.Items:
                if (Source.TakeWanted())
                    QueueWanted();
                return PumpTurn.Run;
            case ClaimResult.ItemsThenReading:
                ArmRead();
                return PumpTurn.Run;
            case ClaimResult.Reading:
                ReturnSpare(ref frame);
                ArmRead();
                return Leave() ? PumpTurn.Again : PumpTurn.Left;
            case ClaimResult.Full:
                ReturnSpare(ref frame);
                return Park(untilReaderReturns: false) ? PumpTurn.Again : PumpTurn.Left;
            default:
                return LeaveOr(ref frame);
        }
    }

    private PumpTurn LeaveOr(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        ReturnSpare(ref frame);
        // The result of this pump (the end, a gap that frees room) may be what a parked one waits for.
        return AbsorbParkedIfItMayGoOn() || Leave() ? PumpTurn.Again : PumpTurn.Left;
    }

    private bool AbsorbParkedIfItMayGoOn() => IsParkedForRoom && (IsStopped || MayClaim) && TryAbsorbParked();

    // False: the slot went to a suspended item, and the rest of the chunk is queued.
    private bool RunChunk(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        while (!frame.Chunk.IsEmpty)
        {
            bool kept;
            var first = frame.Chunk.Next;
            try
            {
                kept = _armed ? RunArmed(ref frame) : RunPlain(ref frame, frame.Chunk.End);
            }
            catch (Exception thrown)
            {
                kept = Threw(ref frame, first, thrown);
            }
            if (!kept)
                return false;
        }
        return true;
    }

    // The innermost loop: its code runs for every item.
    private bool RunPlain(ref PumpFrame<TItem, TResult, TPending> frame, long end)
    {
        var token = Token;
        for (var index = frame.Chunk.Next; index < end; index++)
        {
            if (IsStopped && DropsTaken)
                return DropRest(ref frame);
            frame.Chunk.Next = index + 1;
            var item = Source.Item(frame.Chunk, index);
            frame.Started++;
            var pending = Body.Invoke(item, token);
            if (pending.IsCompletedSuccessfully)
            {
                Sink.Succeed(index, pending.GetResult());
                Body.Release(item);
                frame.Completed++;
            }
            else if (!Suspend(ref frame, item, index, pending))
            {
                return false;
            }
        }
        return true;
    }

    // The gates are checked once for a stretch of items, which then runs in the plain loop. A body that throws leaves the
    // loop, so the next stretch starts with a new check; an item that waits ends the stretch's chunk.
    private bool RunArmed(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        if (IsStopped && !_usesSlowPath && DropsTaken)
            return DropRest(ref frame);
        var next = frame.Chunk.Next;
        var end = frame.Chunk.End;
        if (_usesSlowPath)
            return RunNextSlow(ref frame);
        if (_breaker is not null && !(_breaker.IsClosed && _breaker.TryEnter(out frame.Ticket)))
            return RunNextSlow(ref frame);
        if (_limiter is not null)
        {
            if (frame.PaidTo <= next && !TryPay(ref frame))
                return RunNextSlow(ref frame);
            end = Math.Min(end, frame.PaidTo);
        }
        if (_timed)
            return RunClocked(ref frame, end);
        // Of items that complete synchronously, one in 256 is enough for the adaptive limit: they say nothing about concurrency.
        if (_adaptive is not null && (frame.Sample++ & 3) == 0)
            return RunClocked(ref frame, next + 1);
        return RunPlain(ref frame, end);
    }

    private bool RunClocked(ref PumpFrame<TItem, TResult, TPending> frame, long end)
    {
        var timed = _timed;
        var token = Token;
        for (var index = frame.Chunk.Next; index < end; index++)
        {
            if (IsStopped && DropsTaken)
                return DropRest(ref frame);
            frame.Chunk.Next = index + 1;
            var item = Source.Item(frame.Chunk, index);
            if (_adaptive is not null && (!timed || (frame.Sample++ & 255) == 0))
                frame.CallStarted = Math.Max(1, Settings.Time.GetTimestamp());
            if (timed)
                token = (frame.Spare ??= RentRun()).BeginTimeoutUnstamped();
            frame.Started++;
            var pending = Body.Invoke(item, token);
            if (!pending.IsCompletedSuccessfully)
            {
                if (!Suspend(ref frame, item, index, pending))
                    return false;
                continue;
            }
            var value = pending.GetResult();
            if (timed)
                frame.Spare!.EndTimeout();
            Sink.Succeed(index, value);
            Body.Release(item);
            frame.Completed++;
            if (frame.CallStarted != 0)
                Record(ref frame);
        }
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Record(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        var started = frame.CallStarted;
        frame.CallStarted = 0;
        try
        {
            _adaptive!.Record(Settings.Time.GetElapsedTime(started), succeeded: true, InFlight);
        }
        catch (Exception thrown)
        {
            // The callback for changes threw.
            Stop(StopCause.Broken, thrown);
        }
    }

    private bool DropRest(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        SettleGates(ref frame);
        frame.Chunk.Next = frame.Chunk.End;
        return true;
    }

    // Takes permits for the rest of the chunk at once if the bucket has them: one clock read and one compare-and-swap for up
    // to 64 items, without contention between pumps. Unused permits are returned with the chunk.
    private bool TryPay(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        var paid = _limiter!.TryAcquireUpTo((int)(frame.Chunk.End - frame.Chunk.Next));
        if (paid == 0)
            return false;
        frame.PaidTo = frame.Chunk.Next + paid;
        return true;
    }

    private bool RunNextSlow(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        var index = frame.Chunk.Next++;
        return RunSlow(ref frame, Source.Item(frame.Chunk, index), index);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RunSlow(ref PumpFrame<TItem, TResult, TPending> frame, TItem item, long index)
    {
        var run = frame.Spare ?? RentRun();
        frame.Spare = run;
        if (!TryBegin(run, item, index))
        {
            run.Clear();
            return true;
        }
        SettleGates(ref frame);
        frame.Spare = null;
        return Handle(ref frame, run, Advance(run));
    }

    // A body that completed with a failure throws here, into RunChunk.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Suspend(ref PumpFrame<TItem, TResult, TPending> frame, TItem item, long index, TPending pending)
    {
        if (pending.IsCompleted)
        {
            var value = pending.GetResult();
            if (_timed)
                frame.Spare!.EndTimeout();
            Sink.Succeed(index, value);
            Body.Release(item);
            frame.Completed++;
            return true;
        }
        var run = Adopt(ref frame, item, index);
        run.Pending = pending;
        run.Wait = ItemWait.Body;
        return Handle(ref frame, run, ItemStep.Suspended);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Threw(ref PumpFrame<TItem, TResult, TPending> frame, long first, Exception thrown)
    {
        var index = frame.Chunk.Next - 1;
        // Before an item was taken, or while one was read: no body failed, and no item is responsible.
        if (index < first || !TryItem(frame.Chunk, index, out var item))
        {
            Stop(StopCause.Broken, thrown);
            return DropRest(ref frame);
        }
        var run = Adopt(ref frame, item, index);
        return Handle(ref frame, run, FailFirst(run, thrown));
    }

    // The item leaves the fast path: its run receives its state from the frame.
    private ItemRun<TItem, TResult, TPending> Adopt(ref PumpFrame<TItem, TResult, TPending> frame, TItem item, long index)
    {
        SettleGates(ref frame);
        var run = frame.Spare ?? RentRun();
        frame.Spare = null;
        run.Begin(item, index);
        run.Phase = ItemPhase.Ended;
        run.Attempt = 1;
        run.CallStarted = frame.CallStarted;
        frame.CallStarted = 0;
        if (_clocked && run.CallStarted == 0)
            run.CallStarted = run.Stamp(Math.Max(1, Settings.Time.GetTimestamp()));
        run.FirstStarted = run.CallStarted;
        run.CircuitBreaker = _breaker;
        run.Ticket = frame.Ticket;
        return run;
    }

    private bool Handle(ref PumpFrame<TItem, TResult, TPending> frame, ItemRun<TItem, TResult, TPending> run, ItemStep step)
    {
        switch (step)
        {
            case ItemStep.Settled:
                if (frame.Spare is null)
                    frame.Spare = run;
                else
                    ReturnRun(run);
                return true;
            case ItemStep.Released:
                run.Released = true;
                AddReference();
                run.Arm();
                return true;
            default:
                frame.Suspended = true;
                WatchTimeouts();
                var kept = TryReserve();
                if (!kept)
                    SpillRest(ref frame);
                // From here on the item may end on another thread, and the run with it if this thread has no slot.
                run.Arm();
                return kept;
        }
    }

    private bool GoOn(ref PumpFrame<TItem, TResult, TPending> frame, ItemRun<TItem, TResult, TPending> run)
    {
        var kept = Handle(ref frame, run, Advance(run));
        if (kept)
            Sink.Flush();
        return kept;
    }

    private void SpillRest(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        SettleGates(ref frame);
        ref var chunk = ref frame.Chunk;
        if (!chunk.IsEmpty)
            Enqueue(Spill(ref chunk));
        ReturnSpare(ref frame);
    }

    private void EndChunk(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        Sink.Flush();
        SettleGates(ref frame);
        if (frame.Suspended)
        {
            frame.Suspended = false;
            frame.Size = 1;
            return;
        }
        var now = Stopwatch.GetTimestamp();
        var took = frame.ChunkEnded == 0 ? 0 : now - frame.ChunkEnded;
        frame.ChunkEnded = now;
        if (frame.FirstEnded == 0)
            frame.FirstEnded = now;
        // With lanes, one item at a time: one that waits in a chunk would block those after it from their lanes.
        if (took > LongChunk || Lanes is not null)
            frame.Size = 1;
        else if (frame.Size < ItemChunk<TItem>.MaxItems)
            frame.Size *= 2;
        if (!frame.Helped && now - frame.FirstEnded > WorthAHelper && !Source.IsDone)
        {
            frame.Helped = true;
            QueueHelper();
        }
    }

    // Successes are reported together, and permits taken for more items than there were are returned.
    private void SettleGates(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        if (_breaker is not null && frame.Completed > frame.Reported)
            _breaker.OnSuccess(frame.Completed - frame.Reported);
        frame.Reported = frame.Completed;
        if (frame.PaidTo > frame.Chunk.Next)
            _limiter!.Return((int)(frame.PaidTo - frame.Chunk.Next));
        frame.PaidTo = 0;
    }

    // Before the pump leaves: its stack must not keep anything.
    private void ReturnSpare(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        if (frame.Spare is { } spare)
        {
            frame.Spare = null;
            ReturnRun(spare);
        }
        if (TSource.FillsChunks)
            ReturnItems(ref frame.Chunk);
        SettleGates(ref frame);
        Flush(ref frame);
        frame.Reported = 0;
        Sink.Flush();
    }
}
