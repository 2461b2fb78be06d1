using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.InteropTests.Harness;

/// <summary>A connection that sends and sees bytes, one character a byte (Latin-1).</summary>
internal sealed class RawConnection : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly StringBuilder _received = new();
    private readonly byte[] _buffer = new byte[64 * 1024];

    private RawConnection()
    {
    }

    /// <summary>The JSON of the INFO line that the server began with.</summary>
    public string Info { get; private set; } = "";

    /// <summary>What was received after the INFO line and not yet taken.</summary>
    public string Received => _received.ToString();

    public static async Task<RawConnection> OpenAsync(int port)
    {
        var connection = new RawConnection();
        await connection._socket.ConnectAsync(IPAddress.Loopback, port);
        await connection.UntilAsync(text => text.Contains("\r\n", StringComparison.Ordinal));
        var line = connection.Take(connection.Received.IndexOf("\r\n", StringComparison.Ordinal) + 2);
        connection.Info = line["INFO ".Length..].Trim();
        return connection;
    }

    /// <summary>Sends bytes; a server that has already closed is no error, what it answered is what counts.</summary>
    public async Task SendAsync(string bytes)
    {
        try
        {
            var rest = Encoding.Latin1.GetBytes(bytes).AsMemory();
            using var patience = new CancellationTokenSource(Patience);
            while (rest.Length > 0)
                rest = rest[await _socket.SendAsync(rest, patience.Token)..];
        }
        catch (SocketException)
        {
        }
    }

    /// <summary>Sends a PING and gives what came before its PONG: everything sent before is then answered.</summary>
    public async Task<string> FenceAsync()
    {
        await SendAsync("PING\r\n");
        return await UntilAsync(text => text.EndsWith("PONG\r\n", StringComparison.Ordinal))
            ? Take(_received.Length)[..^"PONG\r\n".Length]
            : Take(_received.Length) + "(closed)";
    }

    /// <summary>Does as <see cref="FenceAsync"/> where messages come at any time: what comes behind the PONG is given the next time. Nothing else
    /// may have asked for a PONG.</summary>
    public async Task<string> FenceAmidMessagesAsync()
    {
        const string Pong = "PONG\r\n";
        await SendAsync("PING\r\n");
        if (!await UntilAsync(static text => text.Contains(Pong, StringComparison.Ordinal))) return Take(_received.Length) + "(closed)";
        return Take(Received.IndexOf(Pong, StringComparison.Ordinal) + Pong.Length)[..^Pong.Length];
    }

    /// <summary>Ends the sending side and gives everything until the server closes.</summary>
    public async Task<string> ToEndAsync()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The server has reset the connection: what it sent before is still to be read.
        }

        await UntilAsync(_ => false);
        return Take(_received.Length);
    }

    /// <summary>Reads until the text satisfies; false when the server closed before.</summary>
    public async Task<bool> UntilAsync(Func<string, bool> satisfied)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (!satisfied(Received))
        {
            int count;
            try
            {
                count = await _socket.ReceiveAsync(_buffer.AsMemory(), patience.Token);
            }
            catch (SocketException)
            {
                return false;
            }

            if (count == 0)
                return false;

            _received.Append(Encoding.Latin1.GetString(_buffer, 0, count));
        }

        return true;
    }

    public ValueTask DisposeAsync()
    {
        _socket.Dispose();
        return ValueTask.CompletedTask;
    }

    private string Take(int length)
    {
        var text = _received.ToString(0, length);
        _received.Remove(0, length);
        return text;
    }
}
