using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Postrider.InteropTests.Leaf;

/// <summary>Stands between two servers, counts their connections and cuts them.</summary>
internal sealed class LinkProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private readonly List<TcpClient> _open = [];
    private readonly Task _accepting;
    private readonly int _port;
    private bool _isCut;
    private long _bytes;

    public LinkProxy(int port)
    {
        _port = port;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public string HostAndPort => $"127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>How many connections there were.</summary>
    public int Connections { get; private set; }

    /// <summary>How many bytes went through, in both directions.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Closes every connection, and those to come until <see cref="Heal"/>.</summary>
    public void Cut()
    {
        lock (_gate)
        {
            _isCut = true;
            foreach (var one in _open) one.Dispose();
            _open.Clear();
        }
    }

    /// <summary>Lets connections through again.</summary>
    public void Heal()
    {
        lock (_gate) _isCut = false;
    }

    public async ValueTask DisposeAsync()
    {
        // Before the listener stops: an accept that begins behind its stop would fail.
        await _end.CancelAsync();
        Cut();
        await _accepting;
        _listener.Stop();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        var served = new List<Task>();
        try
        {
            while (true) served.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_end.Token)));
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(served);
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var one = client;
        using var server = new TcpClient();
        lock (_gate)
        {
            if (_isCut) return;
            Connections++;
            _open.Add(one);
            _open.Add(server);
        }
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, _port, _end.Token);
            await Task.WhenAny(PassAsync(one, server), PassAsync(server, one));
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Cut, the test ends, or the server is away.
        }
    }

    private async Task PassAsync(TcpClient from, TcpClient to)
    {
        try
        {
            var (source, target) = (from.GetStream(), to.GetStream());
            var buffer = new byte[64 * 1024];
            for (int read; (read = await source.ReadAsync(buffer, _end.Token)) > 0;)
            {
                Interlocked.Add(ref _bytes, read);
                await target.WriteAsync(buffer.AsMemory(0, read), _end.Token);
            }
        }
        catch (Exception error) when (error is OperationCanceledException or IOException or ObjectDisposedException or InvalidOperationException)
        {
            // One of the ends is gone: the other one goes too.
        }
    }
}
