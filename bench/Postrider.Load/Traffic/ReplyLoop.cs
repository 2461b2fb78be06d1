using System.Runtime.InteropServices;
using System.Text;
using Postrider.Load.Native;
using Postrider.Load.Rows;

namespace Postrider.Load.Traffic;

/// <summary>Answers on behalf of all services of a row from one thread: the request's payload goes back to its reply subject.</summary>
internal sealed unsafe class ReplyLoop : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private readonly Connection[] _connections;
    private readonly int _payloadBytes;
    private readonly byte[] _start = Encoding.ASCII.GetBytes($"MSG {RequestRow.Subject} 1 ");
    private readonly Poller _poller = new();
    private readonly Doorbell _bell = new();
    private readonly byte[][] _input;
    private readonly int[] _inputBytes;
    private readonly byte[] _output = new byte[BufferBytes];
    private volatile bool _stop;

    public ReplyLoop(RequestRow row, Connection[] connections)
    {
        _connections = connections;
        _payloadBytes = row.PayloadBytes;
        _input = [.. connections.Select(_ => new byte[BufferBytes])];
        _inputBytes = new int[connections.Length];
        for (var i = 0; i < connections.Length; i++)
            _poller.Watch(connections[i].Descriptor, Posix.Readable, i);
        _poller.Watch(_bell.Descriptor, Posix.Readable, -1);
    }

    public void Stop()
    {
        _stop = true;
        _bell.Ring();
    }

    public void Run(CancellationToken ct)
    {
        while (!_stop)
        {
            ct.ThrowIfCancellationRequested();
            var ready = _poller.Wait(1000);
            for (var e = 0; e < ready; e++)
            {
                if (_poller.Token(e) is var i and >= 0)
                    Answer(i);
            }
        }
    }

    public void Dispose()
    {
        _poller.Dispose();
        _bell.Dispose();
    }

    private void Answer(int i)
    {
        var input = _input[i];
        fixed (byte* bytes = input)
        {
            var count = Posix.Receive(_connections[i].Descriptor, bytes + _inputBytes[i], (nuint)(BufferBytes - _inputBytes[i]), Posix.DontWait);
            if (count <= 0)
            {
                if (count < 0 && Marshal.GetLastPInvokeError() is Posix.TryAgain or Posix.Interrupted)
                    return;
                throw new LoadException("The server closed a service's connection.");
            }

            _inputBytes[i] += (int)count;
        }

        var whole = input.AsSpan(0, _inputBytes[i]);
        var rest = whole;
        var written = 0;
        while (TryAnswer(i, ref rest, ref written))
        {
            if (written > BufferBytes / 2)
                Flush(i, ref written);
        }

        Flush(i, ref written);
        rest.CopyTo(input);
        _inputBytes[i] = rest.Length;
    }

    private bool TryAnswer(int i, ref Span<byte> rest, ref int written)
    {
        if (rest.StartsWith("PING\r\n"u8))
        {
            _connections[i].Pong();
            rest = rest[6..];
            return true;
        }

        var line = rest.IndexOf((byte)'\n');
        if (line < 0 || rest.Length < line + 1 + _payloadBytes + 2)
            return false;

        if (rest.StartsWith("HMSG "u8)) return TryAnswerWithHeaders(line + 1, ref rest, ref written);
        if (!rest.StartsWith(_start))
            throw new LoadException($"Not a request: '{Encoding.ASCII.GetString(rest[..line])}'.");

        // "MSG subject sid REPLY SIZE": the answer's line is "PUB " with the last two fields as they came.
        var tail = rest[_start.Length..(line + 1 + _payloadBytes + 2)];
        var output = _output.AsSpan(written);
        "PUB "u8.CopyTo(output);
        tail.CopyTo(output[4..]);
        written += 4 + tail.Length;
        rest = rest[(line + 1 + _payloadBytes + 2)..];
        return true;
    }

    // The server adds a header with the requesting account: "HMSG subject sid REPLY HEADERS TOTAL".
    private bool TryAnswerWithHeaders(int head, ref Span<byte> rest, ref int written)
    {
        var fields = Encoding.ASCII.GetString(rest[..(head - 2)]).Split(' ');
        if (fields.Length != 6 || !int.TryParse(fields[4], out var headers) || !int.TryParse(fields[5], out var total) || total - headers != _payloadBytes)
            throw new LoadException($"Not a request: '{string.Join(' ', fields)}'.");
        if (rest.Length < head + total + 2) return false;

        var output = _output.AsSpan(written);
        var line = Encoding.ASCII.GetBytes($"PUB {fields[3]} {_payloadBytes}\r\n");
        line.CopyTo(output);
        rest.Slice(head + headers, _payloadBytes + 2).CopyTo(output[line.Length..]);
        written += line.Length + _payloadBytes + 2;
        rest = rest[(head + total + 2)..];
        return true;
    }

    private void Flush(int i, ref int written)
    {
        fixed (byte* bytes = _output)
        {
            for (var sent = 0; sent < written;)
            {
                var count = Posix.Send(_connections[i].Descriptor, bytes + sent, (nuint)(written - sent), Posix.NoSignal);
                if (count < 0)
                    throw new LoadException($"A reply could not be sent (errno {Marshal.GetLastPInvokeError()}).");
                sent += (int)count;
            }
        }

        written = 0;
    }
}
