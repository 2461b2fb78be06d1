namespace Postrider.Sockets;

/// <summary>Opens connections to a listener inside the process.</summary>
/// <param name="batches">The batches that write to the listener's end.</param>
/// <param name="accept">Receives the listener's end of each connection and starts it.</param>
/// <param name="time">The clock of deadlines; the system's when null.</param>
public sealed class MemoryConnector(SendBatchSet batches, Action<Connection> accept, TimeProvider? time = null) : IConnector
{
    // One set for all dialling ends: their batches write to their own outboxes only.
    private readonly SendBatchSet _dialling = new();

    /// <inheritdoc/>
    public ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var (dialling, listening) = MemoryConnection.CreatePair(_dialling, batches, time ?? TimeProvider.System);
        accept(listening);
        return ValueTask.FromResult<Connection>(dialling);
    }
}
