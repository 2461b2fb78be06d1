// Hot path: SocketInvoker, ClientConnection -> this. Allocations: none.
using Postrider.Memory;

namespace Postrider.Rpc.Sockets;

/// <summary>The calls under way on one connection, by number.</summary>
/// <remarks>An answer that comes too late finds the place of its number used by another call, or by none, and is dropped. Thread-safe.</remarks>
/// <param name="maxCalls">Maximum number of calls under way; at most 65,535.</param>
internal sealed class PendingCalls(int maxCalls)
{
    // Guards what follows.
    private readonly Lock _gate = new();
    private SlotTable<IPendingCall> _calls = new(placeBits: 16, generationBits: 16, maxCalls);
    private RpcException? _closed;

    /// <summary>How many are under way; a glance, not more.</summary>
    public int Count => _calls.Count;

    /// <summary>Takes a call in.</summary>
    /// <returns>Its number; never 0.</returns>
    /// <exception cref="RpcException">The connection is closed, or too many are under way.</exception>
    public uint Add(IPendingCall call)
    {
        lock (_gate)
        {
            if (_closed is not null)
                throw new RpcException(_closed.Status, _closed.Message, _closed) { IsUnsent = true };
            if (!_calls.TryAdd(call, out var id))
                throw new RpcException(RpcStatus.Busy, $"The connection has reached its limit of {_calls.Count} concurrent calls.") { IsUnsent = true };
            return (uint)id;
        }
    }

    /// <summary>The call of a number, or null when it has ended.</summary>
    public IPendingCall? Find(uint id) => _calls.Find(id);

    /// <summary>Takes a call out: whoever gets it ends it.</summary>
    /// <returns>The call, or null when somebody else got it.</returns>
    public IPendingCall? Remove(uint id, IPendingCall? only = null)
    {
        lock (_gate)
        {
            if (only is not null && _calls.Find(id) != only)
                return null;
            return _calls.TryRemove(id, out var call) ? call : null;
        }
    }

    /// <summary>Takes nothing more in and gives all that was there.</summary>
    public List<IPendingCall> Close(RpcException reason)
    {
        lock (_gate)
        {
            _closed = reason;
            return _calls.Clear();
        }
    }
}
