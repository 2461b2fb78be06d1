using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>Opens TCP connections on its own engine or a shared one.</summary>
/// <param name="engine">The engine of the connections; it is not disposed.</param>
public sealed class TcpConnector(ConnectionEngine engine) : IConnector
{
    private static readonly Lazy<TcpConnector> LazyShared =
        new(static () => new TcpConnector(ConnectionEngine.Create(new SendBatchSet(), loops: 1)));

    /// <summary>The default connector of the process, with one loop for all clients that use it.</summary>
    public static TcpConnector Shared => LazyShared.Value;

    /// <inheritdoc/>
    /// <remarks>Tries every address of a name in the resolver's order.</remarks>
    public async ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        var addresses = IPAddress.TryParse(host, out var literal)
            ? [literal]
            : await Dns.GetHostAddressesAsync(host, ct).ConfigureAwait(false);
        SocketException? last = null;
        foreach (var address in addresses)
        {
            try
            {
                return await engine.ConnectAsync(new IPEndPoint(address, port), ct).ConfigureAwait(false);
            }
            catch (SocketException failed)
            {
                last = failed;
            }
        }
        throw last ?? new SocketException((int)SocketError.HostNotFound);
    }
}
