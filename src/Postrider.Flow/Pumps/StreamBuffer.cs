// Hot path: Pump -> this -> FlowEnumerator. Allocations: none; buffers are reused.
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Postrider.Flow.Pumps;

/// <summary>Results between the pumps and the one reader of a stream: a ring without a lock.</summary>
/// <remarks>
/// In the source's order an entry is found by the item's index, otherwise by a ticket in order of completion. A pump
/// claims no item at or beyond <see cref="Horizon"/>, so an entry is free when it is written. The reader that finds
/// nothing arms itself; the next delivery disarms and wakes it.
/// </remarks>
internal sealed class StreamBuffer<TResult>
{
    private const byte Empty = 0;
    private const byte Value = 1;
    private const byte Gap = 2;

    private TResult[] _values = [];
    private byte[] _states = [];
    private int _mask;
    private int _window;
    private bool _ordered;
    private long _head;
    private long _tail;
    private long _gaps;
    private int _armed;
    private volatile bool _completed;
    private int _users;
    private TaskCompletionSource? _disposal;
    private ManualResetValueTaskSourceCore<bool> _wake = new() { RunContinuationsAsynchronously = true };

    /// <summary>The exception that ends the stream, if <see cref="IsCompleted"/>.</summary>
    public Exception? Failure { get; private set; }

    public bool IsCompleted => _completed;

    public int Window => _window;

    public long Horizon => Volatile.Read(ref _head) + Volatile.Read(ref _gaps) + _window;

    public bool HasResults => Volatile.Read(ref _states[Volatile.Read(ref _head) & _mask]) != Empty;

    public short WakeVersion => _wake.Version;

    public ref ManualResetValueTaskSourceCore<bool> Wake => ref _wake;

    public void Begin(int window, bool ordered)
    {
        var length = (int)BitOperations.RoundUpToPowerOf2((uint)window);
        if (_values.Length != length)
        {
            _values = new TResult[length];
            _states = new byte[length];
        }
        (_mask, _window, _ordered) = (length - 1, window, ordered);
        _head = _tail = _gaps = 0;
        _armed = 0;
        _completed = false;
        _disposal = null;
        _users = 2;
        Failure = null;
    }

    /// <summary>Called when the reader, or the run, no longer uses the buffer: after both, it is used for another stream.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _users) != 0)
            return;
        // A pooled buffer must keep nothing alive.
        Array.Clear(_values);
        Array.Clear(_states);
        Failure = null;
        PumpPool<StreamBuffer<TResult>>.Return(this);
    }

    public void Add(long index, TResult value)
    {
        var at = (_ordered ? index : Interlocked.Increment(ref _tail) - 1) & _mask;
        _values[at] = value;
        Volatile.Write(ref _states[at], Value);
    }

    /// <summary>Records an item that ended without a result.</summary>
    public void AddGap(long index)
    {
        if (_ordered)
            Volatile.Write(ref _states[index & _mask], Gap);
        else
            Interlocked.Increment(ref _gaps);
    }

    /// <summary>Takes the next result. The reader only.</summary>
    public bool TryTake(out TResult value)
    {
        while (true)
        {
            var at = _head & _mask;
            var state = Volatile.Read(ref _states[at]);
            if (state == Empty)
            {
                value = default!;
                return false;
            }
            value = _values[at];
            if (RuntimeHelpers.IsReferenceOrContainsReferences<TResult>())
                _values[at] = default!;
            _states[at] = Empty;
            Volatile.Write(ref _head, _head + 1);
            if (state == Value)
                return true;
        }
    }

    /// <summary>Wakes the reader if it waits and has results to take.</summary>
    public void Flush()
    {
        // The entry must be visible before the check of the reader, which arms itself before its last check of the entry.
        Interlocked.MemoryBarrier();
        while (Volatile.Read(ref _armed) != 0 && HasResults)
        {
            if (Interlocked.CompareExchange(ref _armed, 0, 1) != 1)
                return;
            // The reader waits and this thread holds its position: gaps can be skipped for it.
            if (PassGaps())
            {
                _wake.SetResult(true);
                return;
            }
            Interlocked.Exchange(ref _armed, 1);
        }
        if (_completed)
            WakeAtEnd();
    }

    /// <summary>Arms the reader. Its value task is then <see cref="Wake"/> at the version given.</summary>
    /// <returns>False if a result has arrived in the meantime: check again.</returns>
    public bool TryArm(out short version)
    {
        _wake.Reset();
        version = _wake.Version;
        Interlocked.Exchange(ref _armed, 1);
        if (!HasResults && !_completed)
            return true;
        return Interlocked.CompareExchange(ref _armed, 0, 1) != 1;
    }

    public void Complete(Exception? failure)
    {
        Failure = failure;
        _completed = true;
        Interlocked.MemoryBarrier();
        Volatile.Read(ref _disposal)?.TrySetResult();
        Flush();
        Release();
    }

    /// <summary>Completes when the run has ended.</summary>
    public Task WhenCompletedAsync()
    {
        var disposal = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _disposal, disposal);
        Interlocked.MemoryBarrier();
        return _completed ? Task.CompletedTask : disposal.Task;
    }

    private void WakeAtEnd()
    {
        if (Interlocked.CompareExchange(ref _armed, 0, 1) == 1)
            _wake.SetResult(true);
    }

    private bool PassGaps()
    {
        while (true)
        {
            ref var state = ref _states[_head & _mask];
            switch (Volatile.Read(ref state))
            {
                case Value:
                    return true;
                case Empty:
                    return false;
            }
            state = Empty;
            Volatile.Write(ref _head, _head + 1);
        }
    }
}
