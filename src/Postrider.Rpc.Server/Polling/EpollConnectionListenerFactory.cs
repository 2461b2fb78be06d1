using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Creates listeners for Kestrel.</summary>
internal sealed class EpollConnectionListenerFactory(Func<EndPoint, bool>? where, ILoggerFactory loggers) : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => endpoint is (IPEndPoint or UnixDomainSocketEndPoint) && (where is null || where(endpoint));

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        Socket? socket = null;
        try
        {
            socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
            socket.Listen(new SocketTransportOptions().Backlog);
        }
        catch (SocketException taken) when (taken.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            socket?.Dispose();
            throw new AddressInUseException(taken.Message, taken);
        }
        catch
        {
            socket?.Dispose();
            throw;
        }

        return new(new EpollConnectionListener(socket, loggers.CreateLogger<EpollConnectionListener>()));
    }
}
