// Hot path: SocketCaller, ClientConnection -> this. Allocations: none.
namespace Postrider.Rpc.Sockets;

/// <summary>The calls under way on one connection, by number.</summary>
/// <remarks>A number is a place and how often the place was used before: an answer that comes too late finds the place used by
/// another call, or by none, and is dropped. Thread-safe.</remarks>
internal sealed class CallTable(int most)
{
    private const int FirstSlots = 64;

    // Guards what follows.
    private readonly Lock _gate = new();
    private Slot[] _slots = new Slot[Math.Min(most, FirstSlots)];
    private int _used;
    private int _free = -1;
    private int _count;
    private RpcException? _closed;

    /// <summary>How many are under way; a glance, not more.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Takes a call in.</summary>
    /// <returns>Its number; never 0.</returns>
    /// <exception cref="RpcException">The connection is closed, or too many are under way.</exception>
    public uint Add(IPendingCall call)
    {
        lock (_gate)
        {
            if (_closed is not null)
                throw new RpcException(_closed.Status, _closed.Message, _closed) { IsUnsent = true };
            var at = _free;
            if (at >= 0)
                _free = _slots[at].Next;
            else
                at = NewSlot();
            ref var slot = ref _slots[at];
            slot.Call = call;
            slot.Generation = (ushort)(slot.Generation + 1);
            if (slot.Generation == 0)
                slot.Generation = 1;
            _count++;
            return ((uint)slot.Generation << 16) | (uint)at;
        }
    }

    /// <summary>The call of a number, or null when it has ended.</summary>
    public IPendingCall? Find(uint id)
    {
        lock (_gate)
            return At(id) is >= 0 and var at ? _slots[at].Call : null;
    }

    /// <summary>Takes a call out: whoever gets it ends it.</summary>
    /// <returns>The call, or null when somebody else got it.</returns>
    public IPendingCall? Take(uint id, IPendingCall? only = null)
    {
        lock (_gate)
        {
            var at = At(id);
            if (at < 0 || (only is not null && _slots[at].Call != only))
                return null;
            ref var slot = ref _slots[at];
            var call = slot.Call;
            slot.Call = null;
            slot.Next = _free;
            _free = at;
            _count--;
            return call;
        }
    }

    /// <summary>Takes nothing more in and gives all that was there.</summary>
    public List<IPendingCall> Close(RpcException reason)
    {
        lock (_gate)
        {
            _closed = reason;
            var calls = new List<IPendingCall>(_count);
            for (var i = 0; i < _used; i++)
            {
                if (_slots[i].Call is { } call)
                    calls.Add(call);
                _slots[i].Call = null;
            }

            _count = 0;
            return calls;
        }
    }

    private int At(uint id)
    {
        var at = (int)(id & 0xFFFF);
        return at < _used && _slots[at].Call is not null && _slots[at].Generation == id >> 16 ? at : -1;
    }

    private int NewSlot()
    {
        if (_used == most)
            throw new RpcException(RpcStatus.Busy, $"{_count} calls are under way on the connection, its limit.") { IsUnsent = true };
        if (_used == _slots.Length)
            Array.Resize(ref _slots, Math.Min(most, _slots.Length * 2));
        return _used++;
    }

    private struct Slot
    {
        public IPendingCall? Call;
        public ushort Generation;
        public int Next;
    }
}
