using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>One client connection: handshake by managed sockets, traffic by the bare descriptor.</summary>
/// <remarks>Used by one thread at a time. Timeouts of ten seconds apply to the handshake, not to the traffic.</remarks>
internal sealed unsafe class Connection : IDisposable
{
    private const string Connect = "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":true,\"headers\":true," +
        "\"no_responders\":true,\"protocol\":1,\"lang\":\"load\",\"version\":\"1.0.0\",\"name\":\"load\"";

    private readonly Socket _socket;
    private readonly List<byte> _unread = [];

    private Connection(Socket socket)
    {
        _socket = socket;
        Descriptor = (int)socket.Handle;
    }

    public int Descriptor { get; }

    public string ServerVersion { get; private set; } = "";

    /// <summary>Connects and sends CONNECT.</summary>
    /// <param name="port">Where the server listens.</param>
    /// <param name="user">The user, whose password is the same text; null for no credentials.</param>
    public static Connection Open(int port, string? user = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = 10_000,
            SendTimeout = 10_000,
        };
        try
        {
            socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
            var connection = new Connection(socket);
            var info = connection.ReadLine();
            if (!info.StartsWith("INFO ", StringComparison.Ordinal))
                throw new LoadException($"The server greets with '{info}', not with INFO.");

            using (var fields = JsonDocument.Parse(info.AsMemory(5)))
            {
                connection.ServerVersion = fields.RootElement.TryGetProperty("version", out var version)
                    ? version.GetString() ?? "" : "";
            }

            // The server may follow its first PONG with another INFO; the next round trip reads it, so that
            // none is left to come in the middle of traffic.
            connection.Say(user is null ? Connect + "}\r\n" : $"{Connect},\"user\":\"{user}\",\"pass\":\"{user}\"}}\r\n");
            connection.RoundTrip();
            connection.RoundTrip();
            return connection;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Sends all of it, blocking.</summary>
    public void Say(string protocol) => Say(Encoding.ASCII.GetBytes(protocol));

    /// <inheritdoc cref="Say(string)"/>
    public void Say(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
            bytes = bytes[_socket.Send(bytes)..];
    }

    public void Subscribe(string subject, string sid, string? queueGroup = null)
        => Say(queueGroup is null ? $"SUB {subject} {sid}\r\n" : $"SUB {subject} {queueGroup} {sid}\r\n");

    /// <summary>PING, and what comes until its PONG: the server has then handled all that was said before.</summary>
    /// <remarks>Throws on an error frame. Only before traffic starts and after it ended.</remarks>
    public void RoundTrip()
    {
        Say("PING\r\n");
        AwaitPong();
    }

    /// <summary>Reads lines until PONG; answers the server's own PING.</summary>
    public void AwaitPong()
    {
        while (true)
        {
            var line = ReadLine();
            switch (line)
            {
                case "PONG":
                    return;
                case "PING":
                    Say("PONG\r\n");
                    break;
                default:
                    if (!line.StartsWith("INFO ", StringComparison.Ordinal))
                        throw new LoadException($"The server says '{line}' where PONG was expected.");
                    break;
            }
        }
    }

    /// <summary>Reads what is there, blocking at most the socket's timeout.</summary>
    public int ReadBlocking(Span<byte> buffer)
    {
        if (_unread.Count == 0)
            return _socket.Receive(buffer);

        var length = Math.Min(buffer.Length, _unread.Count);
        for (var i = 0; i < length; i++)
            buffer[i] = _unread[i];
        _unread.RemoveRange(0, length);
        return length;
    }

    /// <summary>Answers a PING of the server in the middle of traffic.</summary>
    public void Pong()
    {
        var pong = stackalloc byte[6] { (byte)'P', (byte)'O', (byte)'N', (byte)'G', (byte)'\r', (byte)'\n' };
        _ = Posix.Send(Descriptor, pong, 6, Posix.NoSignal);
    }

    public void SetReceiveTimeout(int milliseconds) => _socket.ReceiveTimeout = milliseconds;

    public void Dispose() => _socket.Dispose();

    private string ReadLine()
    {
        Span<byte> chunk = stackalloc byte[4096];
        while (true)
        {
            var end = _unread.IndexOf((byte)'\n');
            if (end >= 0)
            {
                var line = Encoding.UTF8.GetString([.. _unread[..end]]).TrimEnd('\r');
                _unread.RemoveRange(0, end + 1);
                return line;
            }

            var count = _socket.Receive(chunk);
            if (count == 0)
                throw new LoadException("The server closed the connection.");
            _unread.AddRange(chunk[..count]);
        }
    }
}
