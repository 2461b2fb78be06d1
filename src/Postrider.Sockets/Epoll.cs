// Hot path: EpollLoop, EpollReactor -> this -> epoll_wait. Allocations: none.
using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>An epoll instance of the kernel, and the layout of its events. Linux only.</summary>
/// <remarks>Shape of an event: the event bits, then the key with which the descriptor was added; <see cref="EventBytes"/> in all.
/// Thread-safe like the kernel: descriptors may be added and changed while a thread waits. Source: man pages epoll(7), epoll_ctl(2).</remarks>
internal sealed unsafe class Epoll
{
    // Linux packs the event on x86-64 only.
    private static readonly bool Packed = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int KeyOffset = Packed ? 4 : 8;

    private readonly int _descriptor = Libc.EpollCreate(Libc.EpollCloseOnExec);

    /// <summary>Creates an instance without descriptors.</summary>
    /// <exception cref="InvalidOperationException">The system has no more instances.</exception>
    public Epoll()
    {
        if (_descriptor < 0)
            throw new InvalidOperationException($"epoll_create1 failed: {Marshal.GetLastPInvokeErrorMessage()}");
    }

    /// <summary>Bytes of one event in the array of <see cref="Wait"/>.</summary>
    public static int EventBytes { get; } = Packed ? 12 : 16;

    /// <summary>The event bits, as in epoll_ctl(2).</summary>
    public static uint BitsOf(byte* singleEvent) => *(uint*)singleEvent;

    /// <summary>The key of the event's descriptor.</summary>
    public static ulong KeyOf(byte* singleEvent) => *(ulong*)(singleEvent + KeyOffset);

    /// <summary>Adds, changes or removes a descriptor.</summary>
    /// <returns>0, or -1 with the error in the runtime's last error.</returns>
    public int Control(int operation, int descriptor, uint bits, ulong key)
    {
        var data = stackalloc byte[16];
        *(uint*)data = bits;
        *(ulong*)(data + KeyOffset) = key;
        return Libc.EpollControl(_descriptor, operation, descriptor, data);
    }

    /// <summary>Waits for events.</summary>
    /// <param name="events">Room for <paramref name="maxEvents"/> of <see cref="EventBytes"/>.</param>
    /// <param name="maxEvents">At least 1.</param>
    /// <param name="timeoutMilliseconds">-1: until something happens.</param>
    /// <returns>The number of events; negative when a signal interrupted the wait.</returns>
    public int Wait(byte* events, int maxEvents, int timeoutMilliseconds) => Libc.EpollWait(_descriptor, events, maxEvents, timeoutMilliseconds);

    /// <summary>Closes the instance; no thread may wait or change descriptors then.</summary>
    public void Close() => _ = Libc.Close(_descriptor);
}
