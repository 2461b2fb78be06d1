using System.Runtime.InteropServices;

namespace Postrider.Load.Native;

/// <summary>Wakes a thread that waits in a <see cref="Poller"/>.</summary>
/// <remarks><see cref="Ring"/> may be called from any thread; <see cref="Silence"/> only from the waiting one.</remarks>
internal sealed unsafe class Doorbell : IDisposable
{
    public Doorbell()
    {
        Descriptor = Posix.EventCreate(0, Posix.CloseOnExec | Posix.EventNonBlocking);
        if (Descriptor < 0)
            throw new LoadException($"eventfd failed with errno {Marshal.GetLastPInvokeError()}.");
    }

    public int Descriptor { get; }

    public void Ring()
    {
        var one = 1L;
        _ = Posix.Write(Descriptor, (byte*)&one, 8);
    }

    public void Silence()
    {
        long count;
        _ = Posix.Read(Descriptor, (byte*)&count, 8);
    }

    public void Dispose() => _ = Posix.Close(Descriptor);
}
