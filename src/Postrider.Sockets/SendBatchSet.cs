using System.Numerics;
using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>The batches that may write to the same outboxes: those of one broker, or of one client.</summary>
/// <remarks>Thread-safe.</remarks>
public sealed class SendBatchSet
{
    // One idle batch for each processor, the rest behind the lock. A ConcurrentBag would keep every set alive permanently: the
    // values of its ThreadLocal reference it.
    private readonly Slot[] _idle = new Slot[(int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount)];

    // Guards the stack, and the growth of the array; readers use the array they find.
    private readonly Lock _gate = new();
    private readonly Stack<SendBatch> _spare = new();
    private SendBatch[] _all = [];
    private int _unfinished;

    /// <summary>Creates an empty set.</summary>
    public SendBatchSet()
        : this(TimeProvider.System)
    {
    }

    /// <summary>Creates an empty set with the clock that measures the time of reads.</summary>
    internal SendBatchSet(TimeProvider time) => Time = time;

    /// <summary>The number of batches.</summary>
    public int Count => _all.Length;

    /// <summary>All batches, by their indexes; for monitoring.</summary>
    public IReadOnlyList<SendBatch> All => _all;

    /// <summary>Rents a batch for one read or one publish, or permanently.</summary>
    /// <returns>An empty batch for the exclusive use of the caller.</returns>
    public SendBatch Rent() => Interlocked.Exchange(ref Own.Batch, null) ?? TakeSpare();

    /// <summary>Returns a flushed batch. The thread pool runs its remaining callbacks first.</summary>
    /// <param name="batch">A batch of this set.</param>
    public void Return(SendBatch batch)
    {
        if (batch.IsUnfinished)
        {
            FinishLater(batch);
            return;
        }

        if (Interlocked.CompareExchange(ref Own.Batch, batch, null) is null) return;
        lock (_gate) _spare.Push(batch);
    }

    /// <summary>Runs an action that writes to outboxes outside a receiver, and flushes its output.</summary>
    /// <typeparam name="TState">The argument of the action, to avoid a closure.</typeparam>
    /// <param name="state">The argument of the action.</param>
    /// <param name="action">Writes through the batch; must not keep it.</param>
    public void Run<TState>(TState state, Action<TState, SendBatch> action)
        where TState : allows ref struct
    {
        var batch = Rent();
        batch.Begin();
        try
        {
            action(state, batch);
        }
        catch
        {
            batch.DropIncomplete();
            throw;
        }
        finally
        {
            batch.End(null);
            Return(batch);
        }
    }

    /// <summary>The number of batches whose callbacks the thread pool still runs.</summary>
    internal int Unfinished => Volatile.Read(ref _unfinished);

    /// <summary>The clock that measures reads.</summary>
    internal TimeProvider Time { get; }

    internal void AwaitOthers(SendBatch self)
    {
        foreach (var other in _all)
        {
            if (ReferenceEquals(other, self)) continue;
            var epoch = other.Epoch;
            if ((epoch & 1) == 0) continue;
            var spinner = default(SpinWait);
            while (other.Epoch == epoch) spinner.SpinOnce();
        }
    }

    private void FinishLater(SendBatch batch)
    {
        Interlocked.Increment(ref _unfinished);
        ThreadPool.UnsafeQueueUserWorkItem(static batch => batch.Set.Continue(batch), batch, preferLocal: false);
    }

    // One turn; other work in the pool's queue runs in between.
    private void Continue(SendBatch batch)
    {
        batch.Begin();
        try
        {
            batch.RunDeferredCallbacks();
        }
        finally
        {
            batch.End(null);
            Return(batch);
            Interlocked.Decrement(ref _unfinished);
        }
        // The threads of connections continue first: with more threads than processors, each of them waits for a whole time slice otherwise.
        Thread.Yield();
    }

    private ref Slot Own => ref _idle[Thread.GetCurrentProcessorId() & (_idle.Length - 1)];

    private SendBatch TakeSpare()
    {
        lock (_gate)
        {
            if (_spare.TryPop(out var spare)) return spare;
            foreach (ref var slot in _idle.AsSpan())
            {
                if (Interlocked.Exchange(ref slot.Batch, null) is { } other) return other;
            }

            var batch = new SendBatch(this, _all.Length);
            _all = [.. _all, batch];
            return batch;
        }
    }

    // One cache line each.
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private struct Slot
    {
        public SendBatch? Batch;
    }
}
