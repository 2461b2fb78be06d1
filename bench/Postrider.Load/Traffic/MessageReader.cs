using System.Runtime.InteropServices;
using System.Text;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Reads whole messages of any length from one connection.</summary>
/// <remarks>The server's PING is answered; an error frame throws. Not thread-safe.</remarks>
internal sealed unsafe class MessageReader(Connection connection) : IDisposable
{
    private const int BufferBytes = 2 * 1024 * 1024;

    // What one read should find room for.
    private const int LeastRoomBytes = 256 * 1024;

    private readonly byte* _buffer = (byte*)NativeMemory.AlignedAlloc(BufferBytes, 64);
    private int _start;
    private int _end;

    /// <summary>PONGs seen.</summary>
    public int Pongs { get; private set; }

    /// <summary>Reads what has arrived; false when nothing has (or, waiting, when nothing came within the socket's timeout).</summary>
    public bool Fill(bool wait = false)
    {
        if (_start == _end)
        {
            _start = _end = 0;
        }
        else if (BufferBytes - _end < LeastRoomBytes)
        {
            new ReadOnlySpan<byte>(_buffer + _start, _end - _start).CopyTo(new Span<byte>(_buffer, BufferBytes));
            (_start, _end) = (0, _end - _start);
        }

        var count = Posix.Receive(connection.Descriptor, _buffer + _end, (nuint)(BufferBytes - _end), wait ? 0 : Posix.DontWait);
        if (count > 0)
        {
            _end += (int)count;
            return true;
        }

        return count < 0 && Marshal.GetLastPInvokeError() is Posix.TryAgain or Posix.Interrupted
            ? false : throw new LoadException("The server closed a client's connection.");
    }

    /// <summary>The next whole message of what was read.</summary>
    public bool TryNext(out InboundMessage message)
    {
        while (true)
        {
            var rest = new ReadOnlySpan<byte>(_buffer + _start, _end - _start);
            var length = TryRead(rest, out message);
            if (length <= 0)
                return false;

            _start += length;
            if (!message.Subject.IsEmpty)
                return true;
        }
    }

    public void Dispose() => NativeMemory.AlignedFree(_buffer);

    // Bytes of the first frame, 0 when it is not whole yet. The message has no subject when the frame is another one.
    private int TryRead(ReadOnlySpan<byte> bytes, out InboundMessage message)
    {
        message = default;
        var lineEnd = bytes.IndexOf((byte)'\n');
        if (lineEnd < 1)
            return 0;

        var line = bytes[..(lineEnd - 1)];
        if (line[0] is not ((byte)'M' or (byte)'H'))
        {
            TakeOther(line);
            return lineEnd + 1;
        }

        var hasHeaders = line[0] == (byte)'H';
        line = line[(hasHeaders ? 5 : 4)..];
        var total = TakeNumber(ref line);
        var headers = hasHeaders ? TakeNumber(ref line) : 0;
        if (bytes.Length < lineEnd + 1 + total + 2)
            return 0;

        var subjectEnd = line.IndexOf((byte)' ');
        var last = line.LastIndexOf((byte)' ');
        message = new InboundMessage
        {
            Subject = line[..subjectEnd],
            ReplyTo = last == subjectEnd ? [] : line[(last + 1)..],
            Headers = bytes.Slice(lineEnd + 1, headers),
            Payload = bytes.Slice(lineEnd + 1 + headers, total - headers),
        };
        return lineEnd + 1 + total + 2;
    }

    // The last word of the line, which it is shortened by.
    private static int TakeNumber(ref ReadOnlySpan<byte> line)
    {
        int number = 0, scale = 1, i = line.Length - 1;
        for (; line[i] != (byte)' '; i--, scale *= 10)
            number += (line[i] - '0') * scale;
        line = line[..i];
        return number;
    }

    private void TakeOther(ReadOnlySpan<byte> line)
    {
        if (line.SequenceEqual("PING"u8))
            connection.Pong();
        else if (line.SequenceEqual("PONG"u8))
            Pongs++;
        else if (!line.StartsWith("INFO "u8) && !line.SequenceEqual("+OK"u8))
            throw new LoadException($"The server says '{Encoding.UTF8.GetString(line)}'.");
    }
}
