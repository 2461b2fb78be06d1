using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Postrider.InteropTests.Leaf;

/// <summary>Stands between two servers and cuts their connections after random numbers of bytes, mostly in the middle of a frame; before, pieces are
/// delayed and halved. What was read and not passed on is dropped.</summary>
/// <remarks>A piece that waits for its delay is written when <see cref="DelayAsync"/> lets it: no clock is involved but the scheduler's.</remarks>
internal sealed class FaultyLink : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private readonly Random _random;
    private readonly int _port;
    private readonly int _cuts;
    private readonly Task _accepting;
    private int _made;

    /// <summary>Listens.</summary>
    /// <param name="port">The port of the server behind.</param>
    /// <param name="seed">Of the faults.</param>
    /// <param name="cuts">How many connections are cut; those that come later are left alone.</param>
    public FaultyLink(int port, int seed, int cuts)
    {
        (_port, _random, _cuts) = (port, new Random(seed), cuts);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public string HostAndPort => $"127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>How many connections were cut.</summary>
    public int Cuts => Volatile.Read(ref _made);

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
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

    private int Next(int limit)
    {
        lock (_gate) return _random.Next(limit);
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var one = client;
        using var other = new TcpClient();
        one.NoDelay = other.NoDelay = true;
        // From the middle of the handshake to some hundred messages.
        var left = Cuts < _cuts ? new Budget(Next(4) == 0 ? Next(1_500) : Next(40_000)) : null;
        try
        {
            await other.ConnectAsync(IPAddress.Loopback, _port, _end.Token);
            await await Task.WhenAny(PassAsync(one, other, left), PassAsync(other, one, left));
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException or ObjectDisposedException or InvalidOperationException or IOException)
        {
            // Cut, the test ends, or the server is away.
        }
        if (left is { IsSpent: true } && !_end.IsCancellationRequested) Interlocked.Increment(ref _made);
    }

    private async Task PassAsync(TcpClient from, TcpClient to, Budget? left)
    {
        var (source, target) = (from.GetStream(), to.GetStream());
        var buffer = new byte[64 * 1024];
        for (int read; (read = await source.ReadAsync(buffer, _end.Token)) > 0;)
        {
            for (var at = 0; at < read;)
            {
                var part = Next(8) == 0 ? 1 + Next(read - at) : read - at;
                if (Next(8) == 0) await DelayAsync();
                var allowed = left?.Take(part) ?? part;
                await target.WriteAsync(buffer.AsMemory(at, allowed), _end.Token);
                if (allowed < part) return;
                at += part;
            }
        }
    }

    // Others run meanwhile, as often as the random number says.
    private async Task DelayAsync()
    {
        for (var turns = Next(200); turns > 0; turns--) await Task.Yield();
    }

    // The bytes that may still pass, in both directions together.
    private sealed class Budget(int bytes)
    {
        private int _left = bytes;

        public bool IsSpent => Volatile.Read(ref _left) <= 0;

        public int Take(int wanted)
        {
            while (true)
            {
                var left = Volatile.Read(ref _left);
                var taken = Math.Min(left, wanted);
                if (Interlocked.CompareExchange(ref _left, left - taken, left) != left) continue;
                return taken;
            }
        }
    }
}
