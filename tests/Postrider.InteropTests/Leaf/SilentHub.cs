using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Postrider.InteropTests.Leaf;

/// <summary>Accepts connections of leaf nodes and says nothing; each ends at once, or when the leaf node closes it.</summary>
internal sealed class SilentHub : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Task _accepting;

    /// <summary>Listens.</summary>
    /// <param name="accepted">Called for each connection.</param>
    /// <param name="closed">Called when the leaf node has closed one; null to close each at once.</param>
    public SilentHub(Action accepted, Action? closed = null)
    {
        _listener.Start();
        _accepting = AcceptAsync(accepted, closed);
    }

    public string HostAndPort => $"127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture)}";

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _accepting;
        _listener.Stop();
        _end.Dispose();
    }

    private async Task AcceptAsync(Action accepted, Action? closed)
    {
        try
        {
            while (true)
            {
                using var connection = await _listener.AcceptTcpClientAsync(_end.Token);
                accepted();
                if (closed is null) continue;
                await ReadToEndAsync(connection.GetStream());
                closed();
            }
        }
        catch (OperationCanceledException)
        {
            // The test ends.
        }
    }

    private async Task ReadToEndAsync(NetworkStream stream)
    {
        try
        {
            var buffer = new byte[1024];
            while (await stream.ReadAsync(buffer, _end.Token) > 0) continue;
        }
        catch (IOException)
        {
            // Reset is closed too.
        }
    }
}
