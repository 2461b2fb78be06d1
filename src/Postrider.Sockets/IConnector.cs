namespace Postrider.Sockets;

/// <summary>Opens connections, over TCP or inside the process.</summary>
public interface IConnector
{
    /// <summary>Connects to a server.</summary>
    /// <param name="host">A host name or address; connectors without a network ignore it.</param>
    /// <param name="port">1 to 65535; connectors without a network ignore it.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A connection that does not read yet: call <see cref="Connection.Start"/>.</returns>
    /// <exception cref="System.Net.Sockets.SocketException">The server cannot be reached.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct);
}
