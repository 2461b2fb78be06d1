using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>Accepts connections on a TCP address.</summary>
public sealed class Listener : IAsyncDisposable
{
    private readonly ConnectionEngine _engine;
    private readonly Action<Connection> _accepted;
    private readonly Action<Exception> _failed;
    private readonly Socket _socket;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _loop;
    private int _disposed;

    private Listener(Socket socket, ConnectionEngine engine, Action<Connection> accepted, Action<Exception> failed)
    {
        _socket = socket;
        _engine = engine;
        _accepted = accepted;
        _failed = failed;
        EndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _loop = AcceptAllAsync();
    }

    /// <summary>The address listened on, with the port that the system chose for port 0.</summary>
    public IPEndPoint EndPoint { get; }

    /// <summary>Starts listening.</summary>
    /// <param name="endPoint">The address; port 0 for any free one.</param>
    /// <param name="engine">The engine of the accepted connections.</param>
    /// <param name="accepted">Called with each connection, which does not read yet; must not block.</param>
    /// <param name="failed">Called when an accept failed, for example because descriptors ran out; accepting continues.</param>
    /// <returns>A running listener.</returns>
    /// <exception cref="SocketException">The address is in use or does not belong to this machine.</exception>
    public static Listener Start(IPEndPoint endPoint, ConnectionEngine engine, Action<Connection> accepted, Action<Exception> failed)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (endPoint.AddressFamily == AddressFamily.InterNetworkV6 && endPoint.Address.Equals(IPAddress.IPv6Any)) socket.DualMode = true;
            socket.Bind(endPoint);
            socket.Listen(4096);
            return new Listener(socket, engine, accepted, failed);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Stops accepting; open connections are kept. A second call does nothing.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        await _stopping.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _loop.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task AcceptAllAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                Accept(await _socket.AcceptAsync(_stopping.Token).ConfigureAwait(false));
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (SocketException error)
            {
                if (_stopping.IsCancellationRequested) return;
                _failed(error);
                // Out of descriptors: give connections a moment to end instead of spinning.
                await Task.Delay(TimeSpan.FromMilliseconds(20), _engine.Time, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    // An error of one connection must not end the accepting.
    private void Accept(Socket socket)
    {
        try
        {
            socket.NoDelay = true;
            _accepted(_engine.Attach(socket));
        }
        catch (Exception error)
        {
            socket.Dispose();
            if (!_stopping.IsCancellationRequested) _failed(error);
        }
    }
}
