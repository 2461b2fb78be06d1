// Hot path: NatsSubscription.Deliver -> this -> the reader. Allocations: none once grown.
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Postrider.Client.Sessions;

/// <summary>Messages between the receiving thread and one reader.</summary>
/// <remarks>
/// The writer appends under a lock; the reader takes everything at once by swapping two rings and then reads without a
/// lock. The reader is woken once per receive batch (<see cref="Signal"/>), on the pool or, when requested, inline.
/// </remarks>
internal sealed class MessageQueue<T>(int capacity, SlowConsumerPolicy whenFull, bool wakesInline) : IValueTaskSource<bool>, IThreadPoolWorkItem
{
    private const int FirstSlots = 16;

    // Guards the incoming ring, the waiting flag and the end.
    private readonly Lock _gate = new();
    private T[] _incoming = new T[FirstSlots];
    private int _incomingHead;
    private int _incomingCount;
    private bool _waiting;
    private bool _completed;
    private Exception? _error;
    private ManualResetValueTaskSourceCore<bool> _wake;
    private CancellationTokenRegistration _cancellation;
    private CancellationToken _cancelled;

    // Only used by the reader.
    private T[] _outgoing = new T[FirstSlots];
    private int _outgoingHead;
    private int _outgoingCount;

    public int Count => Volatile.Read(ref _incomingCount) + Volatile.Read(ref _outgoingCount);

    public bool IsCompleted => Volatile.Read(ref _completed);

    public bool IsEmpty => Count == 0;

    /// <summary>Appends a message. On the receiving thread.</summary>
    /// <param name="item">The message.</param>
    /// <param name="mustSignal">Whether the reader waits: call <see cref="Signal"/> at the batch's end.</param>
    /// <returns>The result.</returns>
    public EnqueueResult TryWrite(in T item, out bool mustSignal)
    {
        lock (_gate)
        {
            mustSignal = _waiting;
            if (_completed) return EnqueueResult.Ended;
            var result = EnqueueResult.Written;
            if (_incomingCount + Volatile.Read(ref _outgoingCount) >= capacity)
            {
                if (whenFull == SlowConsumerPolicy.DropNewest || (whenFull == SlowConsumerPolicy.DropOldest && _incomingCount == 0)) return EnqueueResult.Dropped;
                if (whenFull == SlowConsumerPolicy.DropOldest)
                {
                    _incoming[_incomingHead] = default!;
                    _incomingHead = (_incomingHead + 1) & (_incoming.Length - 1);
                    _incomingCount--;
                    result = EnqueueResult.Dropped;
                }
                else
                {
                    result = EnqueueResult.Full;
                }
            }
            if (_incomingCount == _incoming.Length) Grow();
            _incoming[(_incomingHead + _incomingCount) & (_incoming.Length - 1)] = item;
            _incomingCount++;
            return result;
        }
    }

    /// <summary>Wakes the reader if it waits.</summary>
    public void Signal()
    {
        lock (_gate)
        {
            if (!_waiting) return;
            _waiting = false;
        }
        if (wakesInline) Execute();
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Ends the queue: the reader gets the remaining messages, then the end or the error.</summary>
    public void Complete(Exception? error = null)
    {
        lock (_gate)
        {
            if (_completed) return;
            _completed = true;
            _error = error;
        }
        Signal();
    }

    /// <summary>Drops the waiting messages.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            Array.Clear(_incoming);
            _incomingHead = _incomingCount = 0;
        }
    }

    /// <summary>Takes the next message. By the reader.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(out T item)
    {
        if (_outgoingCount == 0 && !TrySwap())
        {
            item = default!;
            return false;
        }
        ref var slot = ref _outgoing[_outgoingHead];
        item = slot;
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) slot = default!;
        _outgoingHead = (_outgoingHead + 1) & (_outgoing.Length - 1);
        Volatile.Write(ref _outgoingCount, _outgoingCount - 1);
        return true;
    }

    /// <summary>Waits for a message. By the reader, one wait at a time.</summary>
    /// <returns>False at the end; throws the error that ended the queue.</returns>
    public ValueTask<bool> WaitAsync(CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled<bool>(ct);
        lock (_gate)
        {
            if (_incomingCount > 0) return new ValueTask<bool>(true);
            if (_completed) return _error is null ? new ValueTask<bool>(false) : ValueTask.FromException<bool>(_error);
            if (_waiting) throw new InvalidOperationException("The subscription is already being read; only one reader at a time is allowed.");
            _wake.Reset();
            _waiting = true;
            _cancelled = ct;
        }
        if (ct.CanBeCanceled)
        {
            var registration = ct.UnsafeRegister(static state => ((MessageQueue<T>)state!).Signal(), this);
            lock (_gate)
            {
                if (_waiting) _cancellation = registration;
                else registration.Unregister();
            }
        }
        return new ValueTask<bool>(this, _wake.Version);
    }

    /// <summary>Lets the waiting reader continue.</summary>
    public void Execute()
    {
        CancellationTokenRegistration registration;
        Exception? error = null;
        bool any;
        lock (_gate)
        {
            (registration, _cancellation) = (_cancellation, default);
            any = _incomingCount > 0;
            if (!any && _completed) error = _error;
            else if (!any && _cancelled.IsCancellationRequested) error = new OperationCanceledException(_cancelled);
        }
        registration.Unregister();
        if (error is not null) _wake.SetException(error);
        else _wake.SetResult(any);
    }

    bool IValueTaskSource<bool>.GetResult(short token) => _wake.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _wake.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _wake.OnCompleted(continuation, state, token, flags);

    private bool TrySwap()
    {
        lock (_gate)
        {
            if (_incomingCount == 0) return false;
            (_incoming, _outgoing) = (_outgoing, _incoming);
            _outgoingHead = _incomingHead;
            Volatile.Write(ref _outgoingCount, _incomingCount);
            _incomingHead = _incomingCount = 0;
            return true;
        }
    }

    private void Grow()
    {
        var grown = new T[_incoming.Length * 2];
        var first = _incoming.Length - _incomingHead;
        Array.Copy(_incoming, _incomingHead, grown, 0, first);
        Array.Copy(_incoming, 0, grown, first, _incomingHead);
        _incoming = grown;
        _incomingHead = 0;
    }
}
