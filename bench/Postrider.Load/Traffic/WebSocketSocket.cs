using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>A NATS connection over WebSocket (RFC 6455), without TLS and compression.</summary>
/// <remarks>Every frame to the server is masked with a key of zeros: the server applies it like any other key, and the generator has no work with it.</remarks>
internal sealed class WebSocketSocket : BlockingSocket
{
    private const byte BinaryFrame = 0x82;
    private const int PongOpcode = 10;
    private const int CloseOpcode = 8;
    private const int PingOpcode = 9;

    private readonly Socket _socket;
    private readonly byte[] _buffer = new byte[256 * 1024];
    private int _start;
    private int _end;
    private long _rest;

    private WebSocketSocket(Socket socket) : base(socket) => _socket = socket;

    /// <summary>Connects, upgrades, reads INFO and sends CONNECT.</summary>
    /// <param name="port">The server's port for WebSocket.</param>
    public static WebSocketSocket Open(int port)
    {
        var socket = Connect(port);
        try
        {
            var opened = new WebSocketSocket(socket);
            opened.Upgrade(port);
            opened.Write(Encoding.ASCII.GetBytes(Greeting));
            opened.RoundTrip();
            return opened;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override void Write(ReadOnlySpan<byte> bytes)
    {
        Span<byte> head = stackalloc byte[14];
        head.Clear();
        head[0] = BinaryFrame;
        head[1] = 0x80 | 127;
        BinaryPrimitives.WriteUInt64BigEndian(head[2..], (ulong)bytes.Length);
        Send(head);
        Send(bytes);
    }

    public override int Read(Span<byte> buffer)
    {
        while (_rest == 0) ReadHead();
        if (_start == _end) Fill();
        var count = (int)Math.Min(Math.Min(_rest, _end - _start), buffer.Length);
        _buffer.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        _rest -= count;
        return count;
    }

    private void Upgrade(int port)
    {
        Send(Encoding.ASCII.GetBytes(
            $"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
        while (_buffer.AsSpan(_start, _end - _start).IndexOf("\r\n\r\n"u8) < 0) Fill();
        var answer = _buffer.AsSpan(_start, _end - _start);
        if (!answer.StartsWith("HTTP/1.1 101"u8)) throw new LoadException($"The server refuses a WebSocket: '{Encoding.ASCII.GetString(answer)}'.");
        _start += answer.IndexOf("\r\n\r\n"u8) + 4;
    }

    private void ReadHead()
    {
        Need(2);
        var opcode = _buffer[_start] & 15;
        var length = _buffer[_start + 1] & 127;
        var more = length switch { 126 => 2, 127 => 8, _ => 0 };
        Need(2 + more);
        _rest = more switch
        {
            2 => BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start + 2)),
            8 => (long)BinaryPrimitives.ReadUInt64BigEndian(_buffer.AsSpan(_start + 2)),
            _ => length,
        };
        _start += 2 + more;
        if (opcode == CloseOpcode) throw new LoadException("The server closed a WebSocket.");
        if (opcode is PingOpcode or PongOpcode && _rest > 0) throw new LoadException("The server sent a WebSocket ping with a body in the middle of traffic.");
    }

    private void Need(int count)
    {
        while (_end - _start < count) Fill();
    }

    // Moves the unread bytes to the front and appends to them.
    private void Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        int count;
        try
        {
            count = _socket.Receive(_buffer.AsSpan(_end));
        }
        catch (SocketException error)
        {
            throw new IOException(error.Message, error);
        }

        if (count == 0) throw new LoadException("The server closed a WebSocket.");
        _end += count;
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0) bytes = bytes[_socket.Send(bytes)..];
    }
}
