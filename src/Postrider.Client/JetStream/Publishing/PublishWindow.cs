// Hot path: JetStreamPublisher, AckInbox -> this. Allocations: none once grown, but one per wait for room.
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>The publishes that wait for acknowledgements, by token: a place in a table and the place's generation.</summary>
/// <remarks>Thread-safe. Whoever takes a publish out completes it, so an acknowledgement, a timeout and the end never meet.</remarks>
internal sealed class PublishWindow(int capacity)
{
    public const int MostInFlight = 1 << PlaceBits;

    private const int PlaceBits = 20;
    private const long PlaceMask = (1L << PlaceBits) - 1;

    // Waiting publishers are woken together when a quarter of the window is free, so that they do not wake per message.
    private readonly int _resumeAt = capacity - Math.Max(1, capacity / 4);

    // Guards everything.
    private readonly Lock _gate = new();
    private readonly Stack<int> _free = new();
    private readonly Stack<PendingPublish> _idle = new();
    private PendingPublish?[] _places = new PendingPublish?[Math.Min(16, capacity)];
    private long[] _generations = new long[Math.Min(16, capacity)];
    private int _used;
    private int _inFlight;
    private long _begun;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _empty;

    public int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Takes a place.</summary>
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
            if (!_free.TryPop(out var place)) place = NewPlace();
            if (!_idle.TryPop(out pending)) pending = new PendingPublish(this);
            pending.Token = (_generations[place]++ << PlaceBits) | (uint)place;
            pending.Order = _begun++;
            pending.Deadline = long.MaxValue;
            _places[place] = pending;
            _inFlight++;
            return true;
        }
    }

    /// <summary>Gives a publish another token, so that it can be sent again: an answer to the earlier sending is not heard any more.</summary>
    /// <returns>False when it was taken out meanwhile.</returns>
    public bool TryRenew(PendingPublish pending, long token)
    {
        lock (_gate)
        {
            var place = (int)(token & PlaceMask);
            if (!ReferenceEquals(_places[place], pending) || pending.Token != token) return false;
            pending.Token = (_generations[place]++ << PlaceBits) | (uint)place;
            return true;
        }
    }

    /// <summary>The publish of a token, which stays where it is.</summary>
    public PendingPublish? Find(long token)
    {
        lock (_gate) return FindUnderGate(token);
    }

    /// <summary>Takes a publish out; <see cref="Leave"/> must follow when its end was told.</summary>
    /// <returns>Null when somebody else did.</returns>
    public PendingPublish? Take(long token)
    {
        lock (_gate)
        {
            if (FindUnderGate(token) is not { } pending) return null;
            var place = (int)(token & PlaceMask);
            _places[place] = null;
            _free.Push(place);
            return pending;
        }
    }

    /// <summary>Counts one publish less, and wakes whoever waits for that.</summary>
    /// <param name="idle">The publish, if nobody looks at it any more; null when its task is still to be awaited.</param>
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

    /// <summary>Keeps a publish whose task was awaited for another use.</summary>
    public void Return(PendingPublish pending)
    {
        pending.Clear();
        lock (_gate) _idle.Push(pending);
    }

    /// <summary>The tokens of every publish that fits, in the order in which they were begun.</summary>
    public List<(PendingPublish Pending, long Token)> Where(Func<PendingPublish, bool> fits)
    {
        var found = new List<(PendingPublish, long)>();
        lock (_gate)
        {
            for (var place = 0; place < _used; place++)
                if (_places[place] is { } pending && fits(pending)) found.Add((pending, pending.Token));
            found.Sort(static (one, other) => one.Item1.Order.CompareTo(other.Item1.Order));
        }
        return found;
    }

    /// <summary>Completes when places are free.</summary>
    public Task WhenRoom()
    {
        lock (_gate)
        {
            if (_inFlight < capacity && _room is null) return Task.CompletedTask;
            return (_room ??= NewSignal()).Task;
        }
    }

    /// <summary>Completes when nothing is on its way.</summary>
    public Task WhenEmpty()
    {
        lock (_gate) return _inFlight == 0 ? Task.CompletedTask : (_empty ??= NewSignal()).Task;
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private PendingPublish? FindUnderGate(long token)
    {
        var place = (int)(token & PlaceMask);
        return place < _used && _places[place] is { } pending && pending.Token == token ? pending : null;
    }

    private int NewPlace()
    {
        var place = _used++;
        if (place < _places.Length) return place;
        Array.Resize(ref _places, Math.Min(place * 2, capacity));
        Array.Resize(ref _generations, Math.Min(place * 2, capacity));
        return place;
    }
}
