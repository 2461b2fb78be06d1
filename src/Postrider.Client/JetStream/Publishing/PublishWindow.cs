// Hot path: JetStreamPublisher, AckInbox -> this. Allocations: none once grown, but one per wait for room.
using System.Diagnostics.CodeAnalysis;
using Postrider.Memory;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>The publishes that wait for acknowledgements, by token.</summary>
/// <remarks>Thread-safe. Only the caller that removes a publish completes it, so an acknowledgement, a timeout and the end never conflict.</remarks>
internal sealed class PublishWindow(int capacity)
{
    public const int MaxInFlight = 1 << 20;

    // One more bit than MaxInFlight needs: slot 0 of a table is never used.
    private const int PlaceBits = 21;

    // Waiting publishers are woken together when a quarter of the window is free, so that they do not wake per message.
    private readonly int _resumeAt = capacity - Math.Max(1, capacity / 4);

    // Guards everything.
    private readonly Lock _gate = new();
    private readonly Stack<PendingPublish> _idle = new();
    private SlotTable<PendingPublish> _pending = new(PlaceBits, 32);
    private int _inFlight;
    private long _begun;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _empty;

    public int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Takes a slot.</summary>
    /// <returns>False when none is free.</returns>
    public bool TryBegin([NotNullWhen(true)] out PendingPublish? pending)
    {
        lock (_gate)
        {
            if (_inFlight >= capacity || (_room is not null && _inFlight > _resumeAt))
            {
                pending = null;
                return false;
            }
            if (!_idle.TryPop(out pending)) pending = new PendingPublish(this);
            // It cannot be full: the table has more slots than the largest window.
            _ = _pending.TryAdd(pending, out var token);
            pending.Token = token;
            pending.Order = _begun++;
            pending.Deadline = long.MaxValue;
            _inFlight++;
            return true;
        }
    }

    /// <summary>Gives a publish another token, so that it can be sent again: replies to the earlier attempt are ignored.</summary>
    /// <returns>False when it was removed in the meantime.</returns>
    public bool TryRenew(PendingPublish pending, long token)
    {
        lock (_gate)
        {
            if (!ReferenceEquals(_pending.Find(token), pending) || !_pending.TryRenew(token, out var renewed)) return false;
            pending.Token = renewed;
            return true;
        }
    }

    /// <summary>The publish with a token, which is not removed.</summary>
    public PendingPublish? Find(long token)
    {
        lock (_gate) return _pending.Find(token);
    }

    /// <summary>Removes a publish; <see cref="Leave"/> must be called when its result was reported.</summary>
    /// <returns>Null when another caller has removed it.</returns>
    public PendingPublish? Take(long token)
    {
        lock (_gate) return _pending.TryRemove(token, out var pending) ? pending : null;
    }

    /// <summary>Decrements the number of publishes, and wakes the waiters.</summary>
    /// <param name="idle">The publish, if it is no longer used; null when its task is still to be awaited.</param>
    public void Leave(PendingPublish? idle)
    {
        TaskCompletionSource? room = null;
        TaskCompletionSource? empty = null;
        idle?.Clear();
        lock (_gate)
        {
            if (idle is not null) _idle.Push(idle);
            _inFlight--;
            if (_room is not null && _inFlight <= _resumeAt) (room, _room) = (_room, null);
            if (_empty is not null && _inFlight == 0) (empty, _empty) = (_empty, null);
        }
        room?.TrySetResult();
        empty?.TrySetResult();
    }

    /// <summary>Returns a publish whose task was awaited to the pool.</summary>
    public void Return(PendingPublish pending)
    {
        pending.Clear();
        lock (_gate) _idle.Push(pending);
    }

    /// <summary>The tokens of every matching publish, in the order in which they were begun.</summary>
    public List<(PendingPublish Pending, long Token)> Where(Func<PendingPublish, bool> fits)
    {
        var found = new List<(PendingPublish, long)>();
        lock (_gate)
        {
            for (var place = 1; place < _pending.End; place++)
                if (_pending.At(place) is { } pending && fits(pending)) found.Add((pending, pending.Token));
            found.Sort(static (one, other) => one.Item1.Order.CompareTo(other.Item1.Order));
        }
        return found;
    }

    /// <summary>Completes when slots are free.</summary>
    public Task WhenRoom()
    {
        lock (_gate)
        {
            if (_inFlight < capacity && _room is null) return Task.CompletedTask;
            return (_room ??= NewSignal()).Task;
        }
    }

    /// <summary>Completes when no publish is in flight.</summary>
    public Task WhenEmpty()
    {
        lock (_gate) return _inFlight == 0 ? Task.CompletedTask : (_empty ??= NewSignal()).Task;
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
