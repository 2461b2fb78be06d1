// Hot path: operators -> this -> Sources, sinks. Allocations: none per item.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Pumps;

/// <summary>The loop: claims items, calls the body, delivers. A body that completes at once costs no task and no
/// interlocked operation; one that does not takes the pump's slot with it, and its completion becomes a pump.</summary>
internal sealed class Pump<TItem, TResult, TPending, TSource, TBody, TSink> : SourcePump<TItem, TResult, TPending, TSource, TBody, TSink>
    where TPending : struct, IPending<TResult>
    where TSource : struct, ISource<TItem>
    where TBody : struct, IBody<TItem, TPending>
    where TSink : struct, ISink<TResult>
{
    // A chunk that takes longer does not grow: items must not queue behind a slow one (1 ms).
    private static readonly long LongChunk = Stopwatch.Frequency / 1_000;

    // Waking a thread costs some microseconds on both sides; work shorter than that is done before it is awake (20 us).
    private static readonly long WorthAHelper = Stopwatch.Frequency / 50_000;

    private Breaker? _breaker;
    private RateLimiter? _limiter;
    private AdaptiveLimit? _adaptive;
    private bool _armed;
    private bool _longWay;
    private bool _timed;

    internal override void Resume(ItemRun<TItem, TResult, TPending> run)
    {
        if (!run.Released)
        {
            RunOwned(forReader: false, run);
            return;
        }
        run.Released = false;
        if (TryTakeSlot())
        {
            RunOwned(forReader: false, run);
            return;
        }
        Enqueue(run);
        ContinueWithReference();
    }

    protected override void Work(bool forReader, object? first)
    {
        var frame = default(Frame<TItem, TResult, TPending>);
        frame.Size = 1;
        if (first is not null && !GoOn(ref frame, Unsafe.As<ItemRun<TItem, TResult, TPending>>(first)))
            return;
        while (true)
        {
            switch (NextChunk(ref frame))
            {
                case Turn.Again:
                    continue;
                case Turn.Left:
                    return;
            }
            if (!RunChunk(ref frame))
                return;
            EndChunk(ref frame);
            if (forReader && Sink.HasResults)
            {
                Stow(ref frame);
                if (!Park(untilReaderReturns: true))
                    return;
            }
        }
    }

    protected override void Recycle()
    {
        if (!IsRecyclable)
            return;
        RecycleSource();
        PumpPool<Pump<TItem, TResult, TPending, TSource, TBody, TSink>>.Return(this);
    }

    protected override void Set(PumpSettings settings)
    {
        _breaker = settings.Breaker;
        _limiter = settings.RateLimit;
        _adaptive = settings.Adaptive;
        _armed = settings.IsArmed || TSink.WantsOutcomes;
        // Short way: one breaker, one limit at cost 1, timeout, retry, adaptive limit. Whatever else asks per item goes the long way.
        _longWay = TSink.WantsOutcomes || settings.Typed is not null || settings.Bulkhead is not null
            || settings.Hooks is { } hooks && (hooks.OnStart ?? hooks.OnSuccess) is not null
            || settings.Breaker is { CountsSlowCalls: true };
        _timed = settings.ItemTimeout > TimeSpan.Zero;
    }

    private Turn NextChunk(ref Frame<TItem, TResult, TPending> frame)
    {
        if (!frame.Chunk.IsEmpty)
            return Turn.Run;
        if (IsOverLimit)
        {
            Stow(ref frame);
            if (TryShrink())
                return Turn.Left;
        }
        if (IsPaused)
        {
            Stow(ref frame);
            return Park(untilReaderReturns: false) ? Turn.Again : Turn.Left;
        }
        if (HasQueued && TryDequeue(out var ready, out var spill))
        {
            if (ready is not null)
                return GoOn(ref frame, ready) ? Turn.Again : Turn.Left;
            Load(ref frame, spill);
            return Turn.Run;
        }
        if (IsStopped)
            return LeaveOr(ref frame);
        Claimed claimed;
        try
        {
            var full = LanesAreFull && !Source.IsDone;
            if (TSource.FillsChunks)
                LendItems(ref frame);
            claimed = full ? Claimed.Full : Source.Claim(ref frame.Chunk, frame.Size, Sink.Horizon);
        }
        catch (Exception thrown)
        {
            frame.Chunk.End = frame.Chunk.Next;
            Stop(StopCause.Broken, thrown);
            return Turn.Again;
        }
        switch (claimed)
        {
            case Claimed.Items:
                if (Source.TakeWanted())
                    QueueHelper();
                return Turn.Run;
            case Claimed.ItemsThenReading:
                AddReference();
                Source.ArmRead(ReadEnded);
                return Turn.Run;
            case Claimed.Reading:
                Stow(ref frame);
                AddReference();
                Source.ArmRead(ReadEnded);
                return Leave() ? Turn.Again : Turn.Left;
            case Claimed.Full:
                Stow(ref frame);
                return Park(untilReaderReturns: false) ? Turn.Again : Turn.Left;
            default:
                return LeaveOr(ref frame);
        }
    }

    private Turn LeaveOr(ref Frame<TItem, TResult, TPending> frame)
    {
        Stow(ref frame);
        // What this pump found (the end, a gap that is room) may be what a parked one waits for.
        if (IsParkedForRoom && (IsStopped || MayClaim) && TryAbsorbParked())
            return Turn.Again;
        return Leave() ? Turn.Again : Turn.Left;
    }

    // False: the slot went with a suspended item, and the rest of the chunk waits in the queue.
    private bool RunChunk(ref Frame<TItem, TResult, TPending> frame)
    {
        while (!frame.Chunk.IsEmpty)
        {
            bool kept;
            try
            {
                kept = _armed ? RunArmed(ref frame) : RunPlain(ref frame);
            }
            catch (Exception thrown)
            {
                kept = Threw(ref frame, thrown);
            }
            if (!kept)
                return false;
        }
        return true;
    }

    private bool RunPlain(ref Frame<TItem, TResult, TPending> frame)
    {
        var token = Token;
        var end = frame.Chunk.End;
        for (var index = frame.Chunk.Next; index < end; index++)
        {
            if (IsStopped)
                break;
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
        frame.Chunk.Next = end;
        return true;
    }

    private bool RunArmed(ref Frame<TItem, TResult, TPending> frame)
    {
        while (!frame.Chunk.IsEmpty)
        {
            if (IsStopped && !_longWay)
            {
                frame.Chunk.Next = frame.Chunk.End;
                return true;
            }
            var index = frame.Chunk.Next++;
            var item = Source.Item(frame.Chunk, index);
            if (_longWay || (_breaker is not null && !TryEnterBreaker(ref frame)) || (_limiter is not null && !_limiter.TryAcquire()))
            {
                if (!RunLong(ref frame, item, index))
                    return false;
                continue;
            }
            var token = Token;
            frame.CallStarted = 0;
            if (_timed)
            {
                frame.Spare ??= RentRun();
                frame.CallStarted = Math.Max(1, Settings.Time.GetTimestamp());
                token = frame.Spare.BeginTimeout(frame.CallStarted);
            }
            else if (_adaptive is not null && (frame.Sample++ & 63) == 0)
            {
                frame.CallStarted = Math.Max(1, Settings.Time.GetTimestamp());
            }
            frame.Started++;
            var pending = Body.Invoke(item, token);
            if (!pending.IsCompletedSuccessfully)
            {
                if (!Suspend(ref frame, item, index, pending))
                    return false;
                continue;
            }
            var value = pending.GetResult();
            if (frame.CallStarted != 0)
                EndTimed(ref frame);
            Sink.Succeed(index, value);
            Body.Release(item);
            frame.Completed++;
            frame.Healthy++;
        }
        return true;
    }

    private bool TryEnterBreaker(ref Frame<TItem, TResult, TPending> frame)
        => _breaker!.IsClosed && _breaker.TryEnter(out frame.Ticket);

    private void EndTimed(ref Frame<TItem, TResult, TPending> frame)
    {
        if (_timed)
            frame.Spare!.EndTimeout();
        _adaptive?.Record(Settings.Time.GetElapsedTime(frame.CallStarted), succeeded: true, InFlight);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RunLong(ref Frame<TItem, TResult, TPending> frame, TItem item, long index)
    {
        if (Lanes is not null && !Lanes.TryEnter(item, index))
            return true;
        TellBreaker(ref frame);
        var run = frame.Spare ?? RentRun();
        frame.Spare = null;
        run.Begin(item, index);
        return Handle(ref frame, run, Advance(run));
    }

    // A body that completed with a failure throws here, into RunChunk.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Suspend(ref Frame<TItem, TResult, TPending> frame, TItem item, long index, TPending pending)
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
        run.Wait = Wait.Body;
        return Handle(ref frame, run, Step.Suspended);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Threw(ref Frame<TItem, TResult, TPending> frame, Exception thrown)
    {
        var index = frame.Chunk.Next - 1;
        var run = Adopt(ref frame, Source.Item(frame.Chunk, index), index);
        return Handle(ref frame, run, FailFirst(run, thrown));
    }

    // The item leaves the short way: its run gets what the frame knows of it.
    private ItemRun<TItem, TResult, TPending> Adopt(ref Frame<TItem, TResult, TPending> frame, TItem item, long index)
    {
        TellBreaker(ref frame);
        var run = frame.Spare ?? RentRun();
        frame.Spare = null;
        run.Begin(item, index);
        run.Phase = Phase.Ended;
        run.Attempt = 1;
        run.CallStarted = run.FirstStarted = frame.CallStarted;
        if (_adaptive is not null && run.CallStarted == 0)
            run.CallStarted = Math.Max(1, Settings.Time.GetTimestamp());
        run.Breaker = _breaker;
        run.Ticket = frame.Ticket;
        return run;
    }

    private bool Handle(ref Frame<TItem, TResult, TPending> frame, ItemRun<TItem, TResult, TPending> run, Step step)
    {
        switch (step)
        {
            case Step.Settled:
                if (frame.Spare is null)
                    frame.Spare = run;
                else
                    ReturnRun(run);
                return true;
            case Step.Released:
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
                // From here on the item may end on another thread, and without a slot of our own the run with it.
                run.Arm();
                return kept;
        }
    }

    private bool GoOn(ref Frame<TItem, TResult, TPending> frame, ItemRun<TItem, TResult, TPending> run)
    {
        var kept = Handle(ref frame, run, Advance(run));
        if (kept)
            Sink.Flush();
        return kept;
    }

    private void SpillRest(ref Frame<TItem, TResult, TPending> frame)
    {
        ref var chunk = ref frame.Chunk;
        if (!chunk.IsEmpty)
        {
            TItem[]? items = null;
            if (TSource.FillsChunks)
            {
                items = new TItem[chunk.End - chunk.Next];
                for (var i = 0; i < items.Length; i++)
                    items[i] = chunk[chunk.Next + i];
            }
            Enqueue(new Spill<TItem>(chunk.Next, chunk.End, items, default!));
            chunk.Next = chunk.End;
        }
        Stow(ref frame);
    }

    private void Load(ref Frame<TItem, TResult, TPending> frame, in Spill<TItem> spill)
    {
        GiveItemsBack(ref frame.Chunk);
        frame.Chunk.Items = spill.Items;
        frame.Chunk.One = spill.One;
        frame.Chunk.First = frame.Chunk.Next = spill.From;
        frame.Chunk.End = spill.To;
    }

    private void EndChunk(ref Frame<TItem, TResult, TPending> frame)
    {
        Sink.Flush();
        TellBreaker(ref frame);
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
        if (took > LongChunk)
            frame.Size = 1;
        else if (frame.Size < Chunk<TItem>.Largest)
            frame.Size *= 2;
        if (!frame.Helped && now - frame.FirstEnded > WorthAHelper && !Source.IsDone)
        {
            frame.Helped = true;
            QueueHelper();
        }
    }

    private void TellBreaker(ref Frame<TItem, TResult, TPending> frame)
    {
        if (frame.Healthy != 0)
            _breaker?.OnSuccess(frame.Healthy);
        frame.Healthy = 0;
    }

    // Before the pump leaves: nothing may be kept on its stack.
    private void Stow(ref Frame<TItem, TResult, TPending> frame)
    {
        if (frame.Spare is { } spare)
        {
            frame.Spare = null;
            ReturnRun(spare);
        }
        if (TSource.FillsChunks)
            GiveItemsBack(ref frame.Chunk);
        TellBreaker(ref frame);
        Flush(ref frame);
        Sink.Flush();
    }
}
