using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Postrider.TransportTests.Harness;

/// <summary>Stands between a transport and its server, so that a test can cut the connections.</summary>
public sealed class TcpRelay : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentDictionary<TcpClient, bool> _open = new();
    private readonly Func<int> _target;
    private readonly CancellationTokenSource _end = new();
    private readonly Task _accepting;
    private int _accepted;

    public TcpRelay(int target)
        : this(() => target)
    {
    }

    /// <summary>Asks for the port with each connection: a server may get its own later.</summary>
    public TcpRelay(Func<int> target)
    {
        _target = target;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many connections there have been.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Ends every connection without a farewell.</summary>
    public void Cut()
    {
        foreach (var client in _open.Keys)
            client.Close();
    }

    public async ValueTask DisposeAsync()
    {
        // Before the listener stops: an accept that begins behind its stop would fail.
        await _end.CancelAsync();
        await _accepting;
        _listener.Stop();
        Cut();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var near = await _listener.AcceptTcpClientAsync(_end.Token);
                Interlocked.Increment(ref _accepted);
                _ = RelayAsync(near);
            }
        }
        catch (OperationCanceledException)
        {
            // The listener stops.
        }
    }

    private async Task RelayAsync(TcpClient near)
    {
        using var far = new TcpClient();
        using (near)
        {
            _open[near] = _open[far] = true;
            try
            {
                await far.ConnectAsync(IPAddress.Loopback, _target());
                await Task.WhenAny(near.GetStream().CopyToAsync(far.GetStream()), far.GetStream().CopyToAsync(near.GetStream()));
            }
            catch (Exception cut) when (cut is SocketException or IOException or ObjectDisposedException or InvalidOperationException)
            {
                // One side is gone: so is the other.
            }

            _open.TryRemove(near, out _);
            _open.TryRemove(far, out _);
        }
    }
}
