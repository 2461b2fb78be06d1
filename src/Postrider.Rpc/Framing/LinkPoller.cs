// Hot path: epoll_wait -> this -> EpollLink -> FrameConnection. Allocations: none.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>Waits for the events of links on one thread and handles them there, so that a call changes threads nowhere.</summary>
/// <remarks>
/// Shape: one thread waits. Of the events of one wait the last is handled on the spot, what the code of users does with it included;
/// the others go to the thread pool, so that work spreads over the processors as soon as there is more than one piece of it. Code
/// that blocks holds nobody up: a <see cref="LinkWatch"/> notices it and another thread waits from then on. A link whose events take
/// long (<see cref="LinkPace"/>) has them handled on the thread pool for a while. Thread-safe. Linux only.
/// </remarks>
internal sealed unsafe class LinkPoller
{
    private const int MaxEvents = 128;

    // After code that blocked so many events go to the thread pool, the next time twice as many, up to the most.
    private const int LeastDetour = 16;
    private const int MostDetour = 16 * 1024;

    // After so many events that blocked nobody a detour may be half as long.
    private const int GoodBehaviour = 256;

    private static readonly Lazy<LinkPoller> s_shared = new(() => new LinkPoller());

    private readonly Epoll _epoll = new();
    private readonly LinkWatch _watch;

    // Guards changes of the table; the waiting thread finds links without it.
    private readonly Lock _gate = new();
    private SlotTable<EpollLink> _links = new(placeBits: 31, generationBits: 32);

    // Touched by the waiting thread alone.
    private int _detour;
    private int _lastDetour;
    private int _quick;

    private LinkPoller() => _watch = new LinkWatch(Lead);

    /// <summary>The one of this process; its threads begin with the first link.</summary>
    public static LinkPoller Shared => s_shared.Value;

    /// <summary>Begins to tell a link what happens to its descriptor.</summary>
    /// <param name="link">Not here yet.</param>
    /// <param name="wantsWritable">Whether it waits to be written to.</param>
    /// <returns>Its key.</returns>
    /// <exception cref="InvalidOperationException">The system watches no further descriptor.</exception>
    public ulong Add(EpollLink link, bool wantsWritable)
    {
        ulong key;
        lock (_gate)
        {
            // A process has fewer descriptors than the table has places.
            _ = _links.TryAdd(link, out var id);
            link.Key = key = (ulong)id;
        }

        if (Ask(Libc.EpollAdd, link.Descriptor, key, wantsWritable) == 0)
            return key;
        var failure = Marshal.GetLastPInvokeErrorMessage();
        Forget(key);
        throw new InvalidOperationException($"The connection cannot be watched: {failure}.");
    }

    /// <summary>Says whether a link waits to be written to. What has happened before is told again.</summary>
    public void Change(EpollLink link, bool wantsWritable) => Ask(Libc.EpollModify, link.Descriptor, link.Key, wantsWritable);

    /// <summary>Tells a link nothing more; while its descriptor is open.</summary>
    public void Remove(EpollLink link)
    {
        _ = Ask(Libc.EpollDelete, link.Descriptor, link.Key, false);
        Forget(link.Key);
    }

    private int Ask(int operation, int descriptor, ulong key, bool wantsWritable)
        => _epoll.Control(
            operation, descriptor, Libc.EpollIn | Libc.EpollPeerHangUp | Libc.EpollEdgeTriggered | (wantsWritable ? Libc.EpollOut : 0), key);

    private void Forget(ulong key)
    {
        lock (_gate)
            _ = _links.TryRemove((long)key, out _);
    }

    // Until another thread has taken over.
    private void Lead(long turn)
    {
        var events = stackalloc byte[MaxEvents * Epoll.EventBytes];
        if (turn > 0)
            _detour = _lastDetour = Math.Clamp(_lastDetour * 2, LeastDetour, MostDetour);
        while (true)
        {
            var count = _epoll.Wait(events, MaxEvents, -1);
            for (var i = 0; i < count; i++)
            {
                var entry = events + (i * Epoll.EventBytes);
                if (_links.Find((long)Epoll.KeyOf(entry)) is not { } link)
                    continue;
                var due = link.Note(Epoll.BitsOf(entry));
                if (due == LinkDue.Nothing)
                    continue;
                if (i < count - 1 || !IsQuick(link))
                    link.HandOver(due);
                else if (!TryHandle(link, due, ref turn))
                    return;
            }
        }
    }

    private bool IsQuick(EpollLink link)
    {
        if (_detour > 0)
        {
            _detour--;
            return false;
        }

        if (link.IsBusy || !link.Pace.IsQuick())
            return false;
        if (_lastDetour > 0 && ++_quick >= GoodBehaviour)
            (_lastDetour, _quick) = (_lastDetour / 2, 0);
        return true;
    }

    private bool TryHandle(EpollLink link, LinkDue due, ref long turn)
    {
        var began = Stopwatch.GetTimestamp();
        _watch.Begin(ref turn);
        link.Handle(due);
        link.Pace.Note(Stopwatch.GetTimestamp() - began);
        return _watch.End(ref turn);
    }
}
