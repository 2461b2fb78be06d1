using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.Load.Hostile;

/// <summary>A connection that speaks the protocol byte by byte and reads any frame.</summary>
/// <remarks>One thread may send while another one reads. Sending blocks for at most <see cref="SendLimitMilliseconds"/>.</remarks>
internal sealed class ProtocolSocket : IDisposable
{
    /// <summary>After so long in one send the server is taken to read no more.</summary>
    public const int SendLimitMilliseconds = 5000;

    private const int BulkBufferBytes = 256 * 1024;
    private const int MaxFrameBytes = 96 * 1024 * 1024;

    private readonly Socket _socket;
    private byte[] _buffer = new byte[16 * 1024];
    private int _start;
    private int _end;

    private ProtocolSocket(Socket socket) => _socket = socket;

    /// <summary>Nothing that a whole or partial frame could be made of has arrived.</summary>
    public bool IsIdle => _start == _end && _socket.Available == 0;

    /// <summary>Connects without a word.</summary>
    public static ProtocolSocket Connect(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            SendTimeout = SendLimitMilliseconds,
        };
        try
        {
            socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
            return new ProtocolSocket(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Connects, logs in and waits for PONG.</summary>
    /// <param name="port">The server's port on 127.0.0.1.</param>
    /// <param name="user">Name and password.</param>
    /// <param name="verbose">Whether each frame is answered with +OK.</param>
    public static ProtocolSocket Open(int port, string user, bool verbose = false)
    {
        var socket = Connect(port);
        try
        {
            socket.Send($$"""CONNECT {"verbose":{{(verbose ? "true" : "false")}},"pedantic":false,"headers":true,"no_responders":true,"user":"{{user}}","pass":"{{user}}","lang":"load","name":"{{user}}"}""" + "\r\nPING\r\n");
            while (socket.TryRead(10_000, out var frame))
            {
                if (frame.Line == "PONG")
                    return socket;
                if (frame.IsError)
                    throw new LoadException($"The server refuses user {user}: {frame.Line}");
            }

            throw new LoadException($"The server does not answer user {user} within 10 s.");
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public void Send(string text) => Send(Encoding.Latin1.GetBytes(text));

    public void Send(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
            bytes = bytes[_socket.Send(bytes)..];
    }

    /// <summary>Reads the next frame; a PING is answered and returned.</summary>
    /// <param name="milliseconds">How long to wait for more bytes.</param>
    /// <param name="frame">The frame; its memory is valid until the next call.</param>
    /// <returns>False when no whole frame arrived in time. Throws <see cref="IOException"/> when the server closed the connection.</returns>
    public bool TryRead(int milliseconds, out ProtocolFrame frame)
    {
        var deadline = Environment.TickCount64 + milliseconds;
        while (true)
        {
            if (TryParse(out frame))
            {
                if (frame.Line == "PING")
                    Send("PONG\r\n");
                return true;
            }

            var left = Math.Max(0, deadline - Environment.TickCount64);
            if (!_socket.Poll(TimeSpan.FromMilliseconds(left), SelectMode.SelectRead))
                return false;
            Fill();
        }
    }

    /// <summary>Reads the bytes of an answer that is not of this protocol, until the server closes or the time is over.</summary>
    public int Discard(int milliseconds)
    {
        var total = 0;
        var deadline = Environment.TickCount64 + milliseconds;
        while (_socket.Poll(TimeSpan.FromMilliseconds(Math.Max(0, deadline - Environment.TickCount64)), SelectMode.SelectRead)
            && _socket.Receive(_buffer) is > 0 and var count)
            total += count;
        return total;
    }

    /// <summary>Takes messages that all have one length, without looking into them; answers PINGs among them.</summary>
    /// <param name="milliseconds">How long to wait for the first bytes.</param>
    /// <param name="bytes">Length of each message with its line and ends.</param>
    /// <returns>How many were complete.</returns>
    public int TakeMessages(int milliseconds, int bytes)
    {
        if (!_socket.Poll(TimeSpan.FromMilliseconds(milliseconds), SelectMode.SelectRead))
            return 0;
        if (_buffer.Length < BulkBufferBytes)
            Array.Resize(ref _buffer, BulkBufferBytes);
        Fill();
        var count = 0;
        while (_end - _start >= bytes)
        {
            if (_buffer[_start] != 'M')
            {
                // PING, or INFO after a reload.
                if (!TryParse(out var frame))
                    break;
                if (frame.Line == "PING")
                    Send("PONG\r\n");
                continue;
            }

            if (_buffer[_start + bytes - 1] != '\n')
                throw new LoadException("A message of the bulk load is not as long as it was sent.");
            _start += bytes;
            count++;
        }

        return count;
    }

    public void Dispose() => _socket.Dispose();

    private void Fill()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        if (_end == _buffer.Length)
        {
            if (_buffer.Length >= MaxFrameBytes)
                throw new LoadException($"The server sends a frame of more than {MaxFrameBytes} bytes.");
            Array.Resize(ref _buffer, _buffer.Length * 2);
        }

        var count = _socket.Receive(_buffer.AsSpan(_end));
        if (count == 0)
            throw new IOException("The server closed the connection.");
        _end += count;
    }

    private bool TryParse(out ProtocolFrame frame)
    {
        frame = default;
        var input = _buffer.AsSpan(_start, _end - _start);
        var length = input.IndexOf("\r\n"u8);
        if (length < 0)
            return false;

        var line = Encoding.Latin1.GetString(input[..length]);
        var next = length + 2;
        var withHeaders = line.StartsWith("HMSG ", StringComparison.Ordinal);
        if (!withHeaders && !line.StartsWith("MSG ", StringComparison.Ordinal))
        {
            _start += next;
            frame = new(line, "", "", default, default);
            return true;
        }

        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var total = int.Parse(words[^1]);
        var headers = withHeaders ? int.Parse(words[^2]) : 0;
        if (input.Length < next + total + 2)
            return false;

        frame = new(line, words[1], words.Length == (withHeaders ? 6 : 5) ? words[3] : "",
            _buffer.AsMemory(_start + next, headers), _buffer.AsMemory(_start + next + headers, total - headers));
        _start += next + total + 2;
        return true;
    }
}
