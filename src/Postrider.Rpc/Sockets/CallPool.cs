// Hot path: SocketInvoker, UnaryCall -> this. Allocations: none once it is filled.
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Rpc.Sockets;

/// <summary>A pool of reusable call objects.</summary>
internal sealed class CallPool<T>
    where T : class
{
    // The maximum number of useful concurrent calls; the garbage collector frees the rest.
    private const int MaxKept = 1024;

    private readonly ConcurrentQueue<T> _kept = new();
    private T? _first;
    private int _count;

    public bool TryRent([MaybeNullWhen(false)] out T call)
    {
        call = _first;
        if (call is not null && Interlocked.CompareExchange(ref _first, null, call) == call)
            return true;
        if (!_kept.TryDequeue(out call))
            return false;
        Interlocked.Decrement(ref _count);
        return true;
    }

    /// <summary>Returns a call to the pool; false if the pool is full.</summary>
    public bool TryReturn(T call)
    {
        if (_first is null && Interlocked.CompareExchange(ref _first, call, null) is null)
            return true;
        if (Interlocked.Increment(ref _count) > MaxKept)
        {
            Interlocked.Decrement(ref _count);
            return false;
        }

        _kept.Enqueue(call);
        return true;
    }
}
