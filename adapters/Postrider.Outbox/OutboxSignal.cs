namespace Postrider.Outbox;

/// <summary>Wakes the relays of this process.</summary>
/// <remarks>Thread-safe.</remarks>
#pragma warning disable CA1001 // The source of cancellation has no timer and no handle: nothing is left behind.
internal sealed class OutboxSignal
#pragma warning restore CA1001
{
    private readonly Lock _setting = new(); // so that every call returns after the waits have ended
    private CancellationTokenSource _next = new(); // replaced as a whole

    /// <summary>Cancelled by the next <see cref="Set"/>. Read it before searching for work, so that no signal is missed.</summary>
    internal CancellationToken Next => Volatile.Read(ref _next).Token;

    /// <summary>Ends the waits of the relays; they continue on threads of their own.</summary>
    internal void Set()
    {
        lock (_setting)
            Interlocked.Exchange(ref _next, new()).Cancel();
    }
}
