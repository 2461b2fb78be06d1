using System.Runtime.InteropServices;
using System.Text;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Reads whole messages of any length from one connection.</summary>
/// <remarks>The server's PING is answered, or counted where its reader may be within a frame of its own; an error frame throws. Not
/// thread-safe.</remarks>
internal sealed unsafe class MessageReader(Connection connection, bool answersPings = true) : IDisposable
{
    private const int BufferBytes = 2 * 1024 * 1024;

    // What one read should find room for.
    private const int LeastRoomBytes = 256 * 1024;

    private readonly byte* _buffer = (byte*)NativeMemory.AlignedAlloc(BufferBytes, 64);
    private int _start;
    private int _end;

    /// <summary>PONGs seen.</summary>
    public int Pongs { get; private set; }

    /// <summary>PINGs that are still to be answered, by <see cref="Pong"/>.</summary>
    public int OwedPongs { get; private set; }

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
            var length = InboundMessage.TryRead(rest, out message, out var line);
            if (length == 0)
                return false;

            _start += length;
            if (!message.Subject.IsEmpty)
                return true;
            TakeOther(line);
        }
    }

    /// <summary>Answers one of them.</summary>
    public void Pong()
    {
        connection.Pong();
        OwedPongs--;
    }

    public void Dispose() => NativeMemory.AlignedFree(_buffer);

    private void TakeOther(ReadOnlySpan<byte> line)
    {
        if (line.SequenceEqual("PING"u8))
        {
            OwedPongs++;
            if (answersPings)
                Pong();
        }
        else if (line.SequenceEqual("PONG"u8))
        {
            Pongs++;
        }
        else if (!line.StartsWith("INFO "u8) && !line.SequenceEqual("+OK"u8))
        {
            throw new LoadException($"The server says '{Encoding.UTF8.GetString(line)}'.");
        }
    }
}
