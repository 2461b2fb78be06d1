namespace Postrider.Outbox;

/// <summary>Wakes the relays of this process.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class OutboxSignal
{
    private TaskCompletionSource _next = New(); // replaced as a whole

    /// <summary>Completes with the next <see cref="Set"/>. Read it before searching for work, so that no signal is missed.</summary>
    internal Task Next => Volatile.Read(ref _next).Task;

    internal void Set() => Interlocked.Exchange(ref _next, New()).TrySetResult();

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
