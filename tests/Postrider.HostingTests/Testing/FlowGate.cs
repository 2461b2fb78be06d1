namespace Postrider.HostingTests.Testing;

/// <summary>Holds an asynchronous flow where it goes on on a thread, as a busy thread pool would.</summary>
internal sealed class FlowGate : IDisposable
{
    // The runtime calls this when a thread turns to a flow.
    private static readonly AsyncLocal<FlowGate?> s_gate = new(static change =>
    {
        if (change.ThreadContextChanged)
            change.CurrentValue?.Pass();
    });

    private volatile TaskCompletionSource? _closed;

    /// <summary>The calling flow, and those that it starts from now on, pass this gate.</summary>
    internal void Enter() => s_gate.Value = this;

    internal void Close() => _closed = new();

    internal void Open() => _closed?.TrySetResult();

    public void Dispose() => Open();

    private void Pass() => _closed?.Task.Wait();
}
