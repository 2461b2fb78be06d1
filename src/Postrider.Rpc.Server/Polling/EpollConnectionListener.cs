using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Accepts Kestrel's connections.</summary>
internal sealed class EpollConnectionListener(Socket socket, ILogger logger) : IConnectionListener
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(5);

    public EndPoint EndPoint { get; } = socket.LocalEndPoint!;

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            Socket? accepted = null;
            try
            {
                accepted = await socket.AcceptAsync(cancellationToken).ConfigureAwait(false);
                return EpollConnectionContext.Start(accepted);
            }
            catch (Exception end) when (end is ObjectDisposedException or SocketException { SocketErrorCode: SocketError.OperationAborted })
            {
                accepted?.Dispose();
                return null;
            }
            catch (Exception failure) when (failure is not OperationCanceledException)
            {
                // A connection was reset before it was accepted, or no descriptor is available: the listener itself continues.
                accepted?.Dispose();
                Log.AcceptFailed(logger, failure);
                await Task.Delay(s_pause, TimeProvider.System, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        socket.Dispose();
        return default;
    }

    public ValueTask DisposeAsync()
    {
        socket.Dispose();
        return default;
    }
}
