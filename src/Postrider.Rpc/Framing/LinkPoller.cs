// Hot path: epoll_wait -> this -> EpollLink -> FrameConnection. Allocations: none.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Wire.Sockets;

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

    // Linux packs the event on x86-64 only.
    private static readonly bool s_packed = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int s_eventBytes = s_packed ? 12 : 16;
    private static readonly int s_dataOffset = s_packed ? 4 : 8;

    private readonly int _epoll;
    private readonly LinkWatch _watch;

    // Guards the table's growth and its free places; the waiting thread reads the array as it is.
    private readonly Lock _gate = new();
    private readonly Stack<int> _free = new();
    private EpollLink?[] _table = new EpollLink?[64];
    private int _count;
    private uint _generation;

    // Touched by the waiting thread alone.
    private int _detour;
    private int _lastDetour;
    private int _quick;

    private LinkPoller()
    {
        _epoll = Libc.EpollCreate(Libc.EpollCloseOnExec);
        if (_epoll < 0)
            throw new InvalidOperationException($"epoll_create1 failed: {Marshal.GetLastPInvokeErrorMessage()}");
        _watch = new LinkWatch(Lead);
    }

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
            if (!_free.TryPop(out var place))
            {
                place = _count++;
                if (place == _table.Length)
                {
                    var grown = new EpollLink?[place * 2];
                    _table.CopyTo(grown, 0);
                    Volatile.Write(ref _table, grown);
                }
            }

            _table[place] = link;
            key = ((ulong)++_generation << 32) | (uint)place;
            link.Key = key;
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
    {
        var data = stackalloc byte[16];
        *(uint*)data = Libc.EpollIn | Libc.EpollPeerHangUp | Libc.EpollEdgeTriggered | (wantsWritable ? Libc.EpollOut : 0);
        *(ulong*)(data + s_dataOffset) = key;
        return Libc.EpollControl(_epoll, operation, descriptor, data);
    }

    private void Forget(ulong key)
    {
        lock (_gate)
        {
            var place = (int)(uint)key;
            if (_table[place]?.Key != key)
                return;
            _table[place] = null;
            _free.Push(place);
        }
    }

    // Until another thread has taken over.
    private void Lead(long turn)
    {
        var events = stackalloc byte[MaxEvents * s_eventBytes];
        if (turn > 0)
            _detour = _lastDetour = Math.Clamp(_lastDetour * 2, LeastDetour, MostDetour);
        while (true)
        {
            var count = Libc.EpollWait(_epoll, events, MaxEvents, -1);
            for (var i = 0; i < count; i++)
            {
                var entry = events + (i * s_eventBytes);
                if (Find(*(ulong*)(entry + s_dataOffset)) is not { } link)
                    continue;
                var due = link.Note(*(uint*)entry);
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

    private EpollLink? Find(ulong key)
    {
        var link = Volatile.Read(ref _table)[(int)(uint)key];
        return link?.Key == key ? link : null;
    }
}
