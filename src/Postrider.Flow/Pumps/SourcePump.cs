// Hot path: Pump -> this. Allocations: none.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Pumps;

/// <summary>A run's start, reads and end: connects source, body and sink outside the loop.</summary>
internal abstract class SourcePump<TItem, TResult, TPending, TSource, TBody, TSink> : ItemPump<TItem, TResult, TPending>
    where TPending : struct, IPending<TResult>
    where TSource : struct, ISource<TItem>
    where TBody : struct, IBody<TItem, TPending>
    where TSink : struct, ISink<TResult>
{
    // Structs with state: fields, so that no code works on a copy.
    protected TSource Source;
    protected TBody Body;
    protected TSink Sink;

    private TItem[]? _spareItems;
    private Activity? _activity;

    protected SourcePump() => ReadEnded = EndRead;

    /// <summary>The continuation of a read of the source.</summary>
    protected Action ReadEnded { get; }

    /// <summary>True if the run has ended and no callback can reach the object.</summary>
    protected bool IsRecyclable { get; private set; }

    protected override bool CanFinish => !HasQueued && (IsStopped || Source.IsDone);

    protected override bool MayClaim => Source.IsDone || (Source.Taken < Sink.Horizon && !LanesAreFull);

    protected override bool DropsTaken => IsCancelling || (IsStopped && !TSource.FillsChunks);

    protected override bool WantsOutcomes => TSink.WantsOutcomes;

    protected override long? Total => Source.Total;

    protected bool LanesAreFull => Lanes is not null && Lanes.Waiting >= Settings.Window;

    /// <summary>Starts a run whose results are awaited: on this thread if it has no context of its own.</summary>
    public void Start(PumpSettings settings, in TSource source, in TBody body, in TSink sink, CancellationToken ct)
    {
        Set(settings, source, body, sink, parked: false);
        ListenTo(ct);
        StopIfDraining();
        if (MayRunInline)
            RunOwned();
        else
            ThreadPool.UnsafeQueueUserWorkItem(static pump => pump.RunOwned(), this, preferLocal: false);
    }

    /// <summary>Starts a run that pumps when its reader requests a result. The reader holds it until <see cref="PumpState.Unhold"/>.</summary>
    public void StartParked(PumpSettings settings, in TSource source, in TBody body, in TSink sink, CancellationToken ct)
    {
        Set(settings, source, body, sink, parked: true);
        Hold();
        ListenTo(ct);
        StopIfDraining();
    }

    protected override TPending Invoke(TItem item, CancellationToken ct) => Body.Invoke(item, ct);

    protected override void Release(TItem item) => Body.Release(item);

    protected override void Succeed(long index, TResult value) => Sink.Succeed(index, value);

    protected override void Settle(in Outcome<TResult> outcome) => Sink.Settle(outcome);

    /// <summary>Copies the settings that the loop reads per item.</summary>
    protected abstract void Set(PumpSettings settings);

    protected override void Finish()
    {
        ValueTask closing;
        try
        {
            closing = Source.CloseAsync();
        }
        catch (Exception thrown)
        {
            closing = ValueTask.FromException(thrown);
        }
        if (closing.IsCompletedSuccessfully)
            FinishClosed(null);
        else
            _ = FinishWhenClosedAsync(closing);
    }

    /// <summary>Releases source, body and sink. Not earlier: late helpers read the source.</summary>
    protected void RecycleSource()
    {
        Source = default;
        Body = default;
        Sink = default;
        RecycleQueue();
    }

    /// <summary>Releases items that a blocking source has already returned, so that they do not wait for its next ones.</summary>
    protected override void Stalled()
    {
        base.Stalled();
        if (!Source.HoldsBack() || !TryAddReference())
            return;
        if (Source.TryTakeHeld(out var chunk))
            Enqueue(new Spill<TItem>(chunk.Next, chunk.End, chunk.Items, default!));
        ThreadPool.UnsafeQueueUserWorkItem(static pump => pump.ContinueWithReference(), this, preferLocal: false);
    }

    /// <summary>Waits for the pending read of the source.</summary>
    protected void ArmRead()
    {
        AddReference();
        try
        {
            Source.ArmRead(ReadEnded);
        }
        catch (Exception)
        {
            // The result of a source that cannot be awaited is read on a separate thread, which ends the operation.
            ThreadPool.UnsafeQueueUserWorkItem(static pump => pump.EndRead(), this, preferLocal: false);
        }
    }

    protected void LendItems(ref PumpFrame<TItem, TResult, TPending> frame)
    {
        // No other thread could run the items before a read that blocks.
        if (Source.MayBlock && (Limit == 1 || Settings.MaxThreads == 1))
            frame.Size = 1;
        ref var items = ref frame.Chunk.Items;
        // The array of a spill is only as long as its items.
        if (items is not null && items.Length != ItemChunk<TItem>.MaxItems)
            items = null;
        if (frame.Size > 1)
            items ??= Interlocked.Exchange(ref _spareItems, null) ?? new TItem[ItemChunk<TItem>.MaxItems];
    }

    protected void ReturnItems(ref ItemChunk<TItem> chunk)
    {
        if (chunk.Items is not { } items)
            return;
        chunk.Items = null;
        if (items.Length != ItemChunk<TItem>.MaxItems)
            return;
        if (RuntimeHelpers.IsReferenceOrContainsReferences<TItem>())
            Array.Clear(items);
        Volatile.Write(ref _spareItems, items);
    }

    /// <summary>The rest of a chunk, with its own items if the source cannot be read by index.</summary>
    protected static Spill<TItem> Spill(ref ItemChunk<TItem> chunk)
    {
        TItem[]? items = null;
        if (TSource.FillsChunks)
        {
            items = new TItem[chunk.End - chunk.Next];
            for (var i = 0; i < items.Length; i++)
                items[i] = chunk[chunk.Next + i];
        }
        var spill = new Spill<TItem>(chunk.Next, chunk.End, items, default!);
        chunk.Next = chunk.End;
        return spill;
    }

    protected void Load(ref ItemChunk<TItem> chunk, in Spill<TItem> spill)
    {
        ReturnItems(ref chunk);
        chunk.Items = spill.Items;
        chunk.One = spill.One;
        chunk.First = chunk.Next = spill.From;
        chunk.End = spill.To;
    }

    /// <returns>False when the source cannot return it: a list that was changed in the meantime.</returns>
    protected bool TryItem(in ItemChunk<TItem> chunk, long index, out TItem item)
    {
        try
        {
            item = Source.Item(chunk, index);
            return true;
        }
        catch (Exception)
        {
            item = default!;
            return false;
        }
    }

    /// <summary>The source threw.</summary>
    protected void StopReading(Exception thrown)
    {
        // A read that was cancelled because the operation drains is not a failure of the source.
        if (!(IsStopped && thrown is OperationCanceledException))
            Stop(Settings.StopOnError ? StopCause.Broken : StopCause.SourceFailed, thrown);
    }

    private void StopIfDraining()
    {
        if (Settings.Control is { IsDraining: true })
            Stop(StopCause.Drained, exception: null);
    }

    private void EndRead()
    {
        var chunk = default(ItemChunk<TItem>);
        try
        {
            Source.EndRead(ref chunk);
        }
        catch (Exception thrown)
        {
            StopReading(thrown);
        }
        if (!chunk.IsEmpty)
            Enqueue(new Spill<TItem>(chunk.Next, chunk.End, null, chunk.One));
        ContinueWithReference();
    }

    private void Set(PumpSettings settings, in TSource source, in TBody body, in TSink sink, bool parked)
    {
        Source = source;
        Body = body;
        Sink = sink;
        IsRecyclable = false;
        Set(settings);
        var outer = settings.Meter is null ? null : Activity.Current;
        _activity = FlowTracing.Start(settings.Meter);
        try
        {
            Begin(settings, parked);
            if (TSource.Waits)
                Source.Open(BeginReading());
            BeginItems();
            BeginQueue();
        }
        finally
        {
            // The bodies and the source have it, the caller does not.
            if (_activity is not null)
                FlowTracing.MakeCurrent(outer);
        }
    }

    private async Task FinishWhenClosedAsync(ValueTask closing)
    {
        Exception? fault = null;
        try
        {
            await closing.ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            fault = thrown;
        }
        FinishClosed(fault);
    }

    private void FinishClosed(Exception? fault)
    {
        // A source that fails to close after the operation stopped is reported besides the first failure.
        if (fault is not null && Stop(StopCause.Broken, fault))
            fault = null;
        var detached = EndQueue();
        detached &= End();
        var failure = FailureToThrow();
        if (fault is not null)
            failure = failure is null ? fault : new AggregateException(failure, fault);
        // A count that a collection reported before it was read may differ from the number of items read.
        var total = Source.IsDone ? Source.Taken : Source.Total is { } known ? Math.Max(known, Source.Taken) : (long?)null;
        var end = new RunEnd(failure, TakeFailures(), Source.Taken, total, Cause == StopCause.SourceFailed ? StopException : null);
        if (_activity is { } activity)
        {
            _activity = null;
            FlowTracing.End(activity, Read(default, rate: 0), end.Failure ?? end.SourceFailure);
        }

        var sink = Sink;
        IsRecyclable = detached;
        ReleaseLifetime();
        sink.Complete(end);
    }

    private Exception? FailureToThrow() => Cause switch
    {
        StopCause.Failed => TSink.WantsOutcomes ? null : StopException,
        StopCause.Cancelled when Settings is { Partial: PartialResults.Keep, StopOnError: false, CollectErrors: false } => null,
        StopCause.Broken or StopCause.HookStopped or StopCause.Cancelled => StopException,
        StopCause.Deadline => Settings.StopOnError && !TSink.WantsOutcomes ? StopException : null,
        _ => null,
    };
}
