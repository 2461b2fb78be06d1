using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>Opens connections to a listener inside the process.</summary>
/// <param name="batches">The batches that write to the listener's end.</param>
/// <param name="accept">Receives the listener's end of each connection and starts it.</param>
/// <param name="time">The clock of deadlines; the system's when null.</param>
public sealed class MemoryConnector(SendBatchSet batches, Action<Connection> accept, TimeProvider? time = null) : IConnector
{
    // One set for all connecting ends: their batches only write to their own outboxes.
    private readonly SendBatchSet _dialling = new();
    private volatile bool _isClosed;

    /// <summary>Accepts no more connections: an attempt to connect fails as one to a port on which nobody listens. Open connections stay open.</summary>
    public void Close() => _isClosed = true;

    /// <inheritdoc/>
    public ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        return ValueTask.FromResult(Connect(null));
    }

    /// <summary>Connects for a peer that another listener of this process serves.</summary>
    /// <param name="peer">The peer's address, which the listener sees as the remote one; null for this process itself.</param>
    /// <returns>A connection that does not read yet.</returns>
    /// <exception cref="SocketException">The connector is closed: <see cref="SocketError.ConnectionRefused"/>.</exception>
    public Connection Connect(EndPoint? peer)
    {
        if (_isClosed) throw new SocketException((int)SocketError.ConnectionRefused);
        var (dialling, listening) = MemoryConnection.CreatePair(_dialling, batches, time ?? TimeProvider.System, peer);
        accept(listening);
        return dialling;
    }
}
