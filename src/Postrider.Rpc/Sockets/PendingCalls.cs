// Hot path: SocketInvoker, RpcClientConnection -> this. Allocations: none.
using Postrider.Memory;

namespace Postrider.Rpc.Sockets;

/// <summary>The pending calls of a connection by number.</summary>
/// <remarks>Numbers include a generation, so a late response does not match a later call in the same slot and is dropped.
/// Thread-safe.</remarks>
/// <param name="maxCalls">Maximum number of calls under way; at most 65,535.</param>
internal sealed class PendingCalls(int maxCalls)
{
    // Guards the fields below.
    private readonly Lock _gate = new();
    private SlotTable<IPendingCall> _calls = new(placeBits: 16, generationBits: 16, maxCalls);
    private RpcException? _closed;

    /// <summary>The approximate number of pending calls.</summary>
    public int Count => _calls.Count;

    /// <summary>Adds a call.</summary>
    /// <returns>Its number; never 0.</returns>
    /// <exception cref="RpcException">The connection is closed, or too many calls are pending.</exception>
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

    /// <summary>Finds a pending call by number, or null.</summary>
    public IPendingCall? Find(uint id) => _calls.Find(id);

    /// <summary>Removes a call. The caller that removes it completes it.</summary>
    /// <returns>The call, or null if it was already removed.</returns>
    public IPendingCall? Remove(uint id, IPendingCall? only = null)
    {
        lock (_gate)
        {
            if (only is not null && _calls.Find(id) != only)
                return null;
            return _calls.TryRemove(id, out var call) ? call : null;
        }
    }

    /// <summary>Rejects further calls and returns all pending ones.</summary>
    public List<IPendingCall> Close(RpcException reason)
    {
        lock (_gate)
        {
            _closed = reason;
            return _calls.Clear();
        }
    }
}
