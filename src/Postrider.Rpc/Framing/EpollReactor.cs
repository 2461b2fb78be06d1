// Hot path: epoll_wait -> this -> EpollFrameTransport -> FrameConnection. Allocations: none.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>Waits for socket events on one thread and handles them there, so that a call never switches threads.</summary>
/// <remarks>Shape: one thread waits. The last event of each wait is handled inline, including user code; the others go to the thread
/// pool, so that work spreads over the processors. Blocking code does not delay other connections for long: <see cref="LeaderFollowers"/>
/// detects it and another thread takes over. Events of a transport that take long (<see cref="InlineBudget"/>) are handled on the thread
/// pool for a while. Thread-safe. Linux only.</remarks>
internal sealed unsafe class EpollReactor
{
    private const int MaxEvents = 128;

    // After a blocking handler, this many events go to the thread pool; after the next one twice as many, up to the maximum.
    private const int MinBackoff = 16;
    private const int MaxBackoff = 16 * 1024;

    // After this many events that did not block, the backoff is halved.
    private const int EventsPerHalving = 256;

    private static readonly Lazy<EpollReactor> s_shared = new(() => new EpollReactor());

    private readonly Epoll _epoll = new();
    private readonly LeaderFollowers _leaders;

    // Guards changes to the table; the waiting thread reads it without the lock.
    private readonly Lock _gate = new();
    private SlotTable<EpollFrameTransport> _transports = new(placeBits: 31, generationBits: 32);

    // Only used by the waiting thread.
    private int _backoff;
    private int _lastBackoff;
    private int _quick;

    private EpollReactor() => _leaders = new LeaderFollowers(Lead);

    /// <summary>The reactor of this process. Its threads start with the first transport.</summary>
    public static EpollReactor Shared => s_shared.Value;

    /// <summary>Registers a transport for events.</summary>
    /// <param name="transport">A transport that is not registered yet.</param>
    /// <param name="wantsWritable">Whether it waits for writability.</param>
    /// <returns>Its key.</returns>
    /// <exception cref="InvalidOperationException">The system watches no further descriptor.</exception>
    public ulong Add(EpollFrameTransport transport, bool wantsWritable)
    {
        ulong key;
        lock (_gate)
        {
            // A process has fewer descriptors than the table has entries.
            _ = _transports.TryAdd(transport, out var id);
            transport.Key = key = (ulong)id;
        }

        if (Control(Libc.EpollAdd, transport.Descriptor, key, wantsWritable) == 0)
            return key;
        var failure = Marshal.GetLastPInvokeErrorMessage();
        RemoveKey(key);
        throw new InvalidOperationException($"Cannot register the connection with epoll: {failure}.");
    }

    /// <summary>Changes whether a transport waits for writability. Pending events are reported again.</summary>
    public void Change(EpollFrameTransport transport, bool wantsWritable) => Control(Libc.EpollModify, transport.Descriptor, transport.Key, wantsWritable);

    /// <summary>Unregisters a transport. Its descriptor must still be open.</summary>
    public void Remove(EpollFrameTransport transport)
    {
        _ = Control(Libc.EpollDelete, transport.Descriptor, transport.Key, false);
        RemoveKey(transport.Key);
    }

    private int Control(int operation, int descriptor, ulong key, bool wantsWritable)
        => _epoll.Control(
            operation, descriptor, Libc.EpollIn | Libc.EpollPeerHangUp | Libc.EpollEdgeTriggered | (wantsWritable ? Libc.EpollOut : 0), key);

    private void RemoveKey(ulong key)
    {
        lock (_gate)
            _ = _transports.TryRemove((long)key, out _);
    }

    // Until another thread has taken over.
    private void Lead(long turn)
    {
        var events = stackalloc byte[MaxEvents * Epoll.EventBytes];
        if (turn > 0)
            _backoff = _lastBackoff = Math.Clamp(_lastBackoff * 2, MinBackoff, MaxBackoff);
        while (true)
        {
            var count = _epoll.Wait(events, MaxEvents, -1);
            for (var i = 0; i < count; i++)
            {
                var entry = events + (i * Epoll.EventBytes);
                if (_transports.Find((long)Epoll.KeyOf(entry)) is not { } transport)
                    continue;
                var ready = transport.OnEvents(Epoll.BitsOf(entry));
                if (ready == ReadyEvents.Nothing)
                    continue;
                if (i < count - 1 || !RunsInline(transport))
                    transport.QueueToThreadPool(ready);
                else if (!TryHandle(transport, ready, ref turn))
                    return;
            }
        }
    }

    private bool RunsInline(EpollFrameTransport transport)
    {
        if (_backoff > 0)
        {
            _backoff--;
            return false;
        }

        if (transport.IsBusy || !transport.InlineBudget.RunsInline())
            return false;
        if (_lastBackoff > 0 && ++_quick >= EventsPerHalving)
            (_lastBackoff, _quick) = (_lastBackoff / 2, 0);
        return true;
    }

    private bool TryHandle(EpollFrameTransport transport, ReadyEvents ready, ref long turn)
    {
        var began = Stopwatch.GetTimestamp();
        _leaders.Begin(ref turn);
        transport.Handle(ready);
        transport.InlineBudget.Record(Stopwatch.GetTimestamp() - began);
        return _leaders.End(ref turn);
    }
}
