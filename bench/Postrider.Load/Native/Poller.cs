using System.Runtime.InteropServices;

namespace Postrider.Load.Native;

/// <summary>One epoll instance and its event buffer.</summary>
/// <remarks>Not thread-safe: one thread waits, and adds before it starts to wait.</remarks>
internal sealed unsafe class Poller : IDisposable
{
    private const int Capacity = 256;

    // The kernel packs epoll_event on x86-64 only.
    private static readonly int Stride = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;
    private static readonly int TokenOffset = Stride - 8;

    private readonly int _poll;
    private readonly byte* _events = (byte*)NativeMemory.AllocZeroed((nuint)(Capacity * 16));

    public Poller()
    {
        _poll = Posix.PollCreate(Posix.CloseOnExec);
        if (_poll < 0)
            throw new LoadException($"epoll_create1 failed with errno {Marshal.GetLastPInvokeError()}.");
    }

    /// <summary>Watches a descriptor; <paramref name="token"/> comes back from <see cref="Token"/>.</summary>
    public void Watch(int descriptor, int events, int token)
    {
        var change = stackalloc byte[16];
        *(int*)change = events;
        *(long*)(change + TokenOffset) = token;
        if (Posix.PollControl(_poll, Posix.Add, descriptor, change) < 0)
            throw new LoadException($"epoll_ctl failed with errno {Marshal.GetLastPInvokeError()}.");
    }

    /// <summary>Waits; returns how many events are ready, none when the time ran out or a signal came.</summary>
    public int Wait(int timeoutMilliseconds)
    {
        var ready = Posix.PollWait(_poll, _events, Capacity, timeoutMilliseconds);
        if (ready >= 0)
            return ready;

        var error = Marshal.GetLastPInvokeError();
        return error == Posix.Interrupted ? 0 : throw new LoadException($"epoll_wait failed with errno {error}.");
    }

    public int Token(int index) => (int)*(long*)(_events + (index * Stride) + TokenOffset);

    public void Dispose()
    {
        _ = Posix.Close(_poll);
        NativeMemory.Free(_events);
    }
}
