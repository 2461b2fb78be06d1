using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>The framework's asynchronous sockets: every system.</summary>
internal sealed class SocketEngine(SendBatchSet batches, TimeProvider time) : ConnectionEngine(batches, time)
{
    // Guards the set of open connections and whether the engine is disposed.
    private readonly Lock _gate = new();
    private readonly HashSet<SocketConnection> _open = [];
    private bool _disposed;

    public override Connection Attach(Socket socket)
    {
        var connection = new SocketConnection(socket, this);
        lock (_gate)
        {
            if (!_disposed)
            {
                _open.Add(connection);
                return connection;
            }
        }
        socket.Dispose();
        throw new ObjectDisposedException(nameof(ConnectionEngine));
    }

    public override async ValueTask<Connection> ConnectAsync(IPEndPoint endPoint, CancellationToken ct)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(endPoint, ct).ConfigureAwait(false);
            return Attach(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override void Dispose()
    {
        SocketConnection[] open;
        lock (_gate)
        {
            _disposed = true;
            open = [.. _open];
        }
        foreach (var connection in open) connection.Close();
    }

    internal void Remove(SocketConnection connection)
    {
        lock (_gate) _open.Remove(connection);
    }
}
