// Hot path: Consumer -> this, per delivery. Allocations: none once its pool is filled.
namespace Postrider.Broker.JetStream.Consumers.Pulling;

/// <summary>Pull requests in the order in which they are served: in turns, or by priority and then in turns.</summary>
/// <remarks>Shape: a linked list. Not thread-safe.</remarks>
internal sealed class WaitQueue(int capacity)
{
    private WaitingRequest? _head;
    private WaitingRequest? _tail;
    private WaitingRequest? _pool;

    /// <summary>The number of waiting requests.</summary>
    public int Count { get; private set; }

    /// <summary>Whether no more requests may wait.</summary>
    public bool IsFull => Count >= capacity;

    /// <summary>The request that is served next, or null.</summary>
    public WaitingRequest? First => _head;

    /// <summary>Returns an empty request, to be filled and then added.</summary>
    public WaitingRequest Rent()
    {
        if (_pool is not { } pull) return new WaitingRequest();
        _pool = pull.Next;
        pull.Next = null;
        return pull;
    }

    /// <summary>Returns a request that is in no queue to the pool.</summary>
    public void Return(WaitingRequest pull)
    {
        pull.Target.Clear();
        pull.Request = default;
        pull.Next = _pool;
        _pool = pull;
    }

    /// <summary>Adds a request at the end.</summary>
    public void Add(WaitingRequest pull)
    {
        pull.Next = null;
        if (_tail is null) _head = pull;
        else _tail.Next = pull;
        _tail = pull;
        Count++;
    }

    /// <summary>Adds a request after those of the same or a higher priority.</summary>
    public void AddByPriority(WaitingRequest pull)
    {
        WaitingRequest? before = null;
        for (var next = _head; next is not null && next.Request.Priority <= pull.Request.Priority; next = next.Next) before = next;
        Insert(before, pull);
    }

    /// <summary>Moves the first request after all others, or after those of its priority.</summary>
    public void Rotate(bool byPriority)
    {
        if (_head is not { } first || first.Next is null) return;
        Unlink(null, first);
        if (byPriority) AddByPriority(first);
        else Add(first);
    }

    /// <summary>Removes the first request and returns it to the pool.</summary>
    public void RemoveFirst()
    {
        if (_head is not { } first) return;
        Unlink(null, first);
        Return(first);
    }

    /// <summary>Visits every request and removes those for which <paramref name="ends"/> returns true.</summary>
    public void RemoveWhere<TState>(TState state, Func<TState, WaitingRequest, bool> ends)
    {
        WaitingRequest? before = null;
        for (WaitingRequest? pull = _head, next; pull is not null; pull = next)
        {
            next = pull.Next;
            if (ends(state, pull))
            {
                Unlink(before, pull);
                Return(pull);
            }
            else
            {
                before = pull;
            }
        }
    }

    private void Insert(WaitingRequest? before, WaitingRequest pull)
    {
        if (before is null)
        {
            pull.Next = _head;
            _head = pull;
        }
        else
        {
            pull.Next = before.Next;
            before.Next = pull;
        }
        if (pull.Next is null) _tail = pull;
        Count++;
    }

    private void Unlink(WaitingRequest? before, WaitingRequest pull)
    {
        if (before is null) _head = pull.Next;
        else before.Next = pull.Next;
        if (ReferenceEquals(_tail, pull)) _tail = before;
        pull.Next = null;
        Count--;
    }
}
