using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.InteropTests.Harness;

/// <summary>Stands between clients and a server, and loses what it is told to lose.</summary>
internal sealed class FrameProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly int _serverPort;
    private readonly Task _accepting;

    public FrameProxy(int serverPort)
    {
        _serverPort = serverPort;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public enum Fate
    {
        Pass,
        Lose,
        Cut,
    }

    /// <summary>What becomes of a frame of a client, by its control line.</summary>
    public Func<string, Fate> OfClient { get; set; } = static _ => Fate.Pass;

    /// <summary>What becomes of a frame of the server, by its control line.</summary>
    public Func<string, Fate> OfServer { get; set; } = static _ => Fate.Pass;

    public string Url => $"nats://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture)}";

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        await _accepting;
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
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, _serverPort, _end.Token);
            await Task.WhenAny(
                PassAsync(one.GetStream(), server.GetStream(), line => OfClient(line)),
                PassAsync(server.GetStream(), one.GetStream(), line => OfServer(line)));
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException)
        {
            // The test ends, or the server is away: the client finds its connection closed.
        }
    }

    private async Task PassAsync(NetworkStream from, NetworkStream to, Func<string, Fate> decide)
    {
        try
        {
            using var frames = new BufferedStream(from, 64 * 1024);
            var frame = new List<byte>();
            while (await TryReadAsync(frames, frame))
            {
                var line = Encoding.Latin1.GetString([.. frame.Take(frame.IndexOf((byte)'\n'))]).TrimEnd();
                var fate = decide(line);
                if (fate == Fate.Cut) return;
                if (fate == Fate.Pass) await to.WriteAsync(frame.ToArray(), _end.Token);
            }
        }
        catch (Exception error) when (error is OperationCanceledException or IOException or ObjectDisposedException)
        {
            // One of the ends is gone: the other one goes too.
        }
    }

    // A control line, and what belongs to it.
    private async Task<bool> TryReadAsync(BufferedStream stream, List<byte> frame)
    {
        frame.Clear();
        var one = new byte[1];
        do
        {
            if (await stream.ReadAsync(one, _end.Token) == 0) return false;
            frame.Add(one[0]);
        }
        while (one[0] != '\n');
        var words = Encoding.Latin1.GetString([.. frame]).TrimEnd().Split(' ');
        if (words[0] is not ("PUB" or "HPUB" or "MSG" or "HMSG")) return true;
        var rest = new byte[int.Parse(words[^1], CultureInfo.InvariantCulture) + 2];
        await stream.ReadExactlyAsync(rest, _end.Token);
        frame.AddRange(rest);
        return true;
    }
}
