using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Postrider.Load.Native;
using Postrider.Load.Rows;

namespace Postrider.Load.Traffic;

/// <summary>Asks on behalf of all clients of a row from one thread, one request under way per client.</summary>
/// <remarks>As real clients do, each client holds one wildcard subscription for its replies and makes up a new
/// subject below it for every request, so that no server can remember the subject.</remarks>
internal sealed unsafe class RequestLoop : IDisposable
{
    private const int TokenBytes = 8;
    private const int PingBytes = 6;
    private const int ReadBytes = 64 * 1024;

    private readonly Asker[] _askers;
    private readonly Poller _poller = new();
    private readonly byte* _buffer = (byte*)NativeMemory.AlignedAlloc(ReadBytes, 64);
    private long[] _latencies = new long[1 << 20];
    private int _answered;

    public RequestLoop(RequestRow row, Connection[] connections)
    {
        _askers = new Asker[connections.Length];
        for (var i = 0; i < connections.Length; i++)
        {
            // 22 characters, as the clients' own inbox names have.
            var inbox = $"_INBOX.{i:00}loadgenerator{i:0000000}";
            connections[i].Subscribe(inbox + ".*", "1");
            connections[i].RoundTrip();
            _poller.Watch(connections[i].Descriptor, Posix.Readable, i);
            var payload = FrameRenderer.Payload(row.PayloadBytes, i, 0);
            var start = $"PUB {RequestRow.Subject} {inbox}.";
            _askers[i] = new Asker(connections[i],
                Encoding.ASCII.GetBytes($"{start}{new string('0', TokenBytes)} {row.PayloadBytes}\r\n{payload}\r\n"), start.Length,
                Encoding.ASCII.GetBytes($"MSG {inbox}.{new string('0', TokenBytes)} 1 {row.PayloadBytes}\r\n{payload}\r\n"), inbox.Length + 5);
        }
    }

    /// <summary>When the last reply arrived (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    /// <summary>Ticks of <see cref="Stopwatch"/> per answered request, in no order.</summary>
    public ReadOnlySpan<long> Latencies => _latencies.AsSpan(0, _answered);

    public void Run(long deadline, CancellationToken ct)
    {
        foreach (var asker in _askers)
            asker.Ask(Stopwatch.GetTimestamp());

        var open = _askers.Length;
        var lastReply = Stopwatch.GetTimestamp();
        while (open > 0)
        {
            ct.ThrowIfCancellationRequested();
            var ready = _poller.Wait(1000);
            if (ready == 0 && Stopwatch.GetElapsedTime(lastReply) > TimeSpan.FromSeconds(10))
                throw new LoadException("A request had no reply for ten seconds.");

            for (var e = 0; e < ready; e++)
            {
                var asker = _askers[_poller.Token(e)];
                if (!asker.TakeReply(_buffer, ReadBytes))
                    continue;

                lastReply = Stopwatch.GetTimestamp();
                Record(lastReply - asker.AskedAt);
                if (lastReply < deadline)
                    asker.Ask(lastReply);
                else
                    open--;
            }
        }

        Finished = lastReply;
    }

    public void Dispose()
    {
        _poller.Dispose();
        NativeMemory.AlignedFree(_buffer);
    }

    private void Record(long ticks)
    {
        if (_answered == _latencies.Length)
            Array.Resize(ref _latencies, _latencies.Length * 2);
        _latencies[_answered++] = ticks;
    }

    private sealed class Asker(Connection connection, byte[] request, int requestToken, byte[] reply, int replyToken)
    {
        private readonly byte[] _partial = new byte[reply.Length];
        private ulong _number;
        private int _received;
        private int _pingLeft;

        public long AskedAt { get; private set; }

        public void Ask(long now)
        {
            Span<byte> digits = stackalloc byte[TokenBytes];
            var number = _number++;
            for (var i = TokenBytes - 1; i >= 0; i--)
            {
                digits[i] = "0123456789abcdefghijklmnopqrstuv"u8[(int)(number & 31)];
                number >>= 5;
            }

            digits.CopyTo(request.AsSpan(requestToken));
            digits.CopyTo(reply.AsSpan(replyToken));
            AskedAt = now;
            fixed (byte* bytes = request)
            {
                if (Posix.Send(connection.Descriptor, bytes, (nuint)request.Length, Posix.NoSignal) != request.Length)
                    throw new LoadException($"A request could not be sent (errno {Marshal.GetLastPInvokeError()}).");
            }
        }

        /// <summary>True when the reply is complete and the right one.</summary>
        public bool TakeReply(byte* buffer, int capacity)
        {
            var count = (int)Posix.Receive(connection.Descriptor, buffer, (nuint)capacity, Posix.DontWait);
            if (count <= 0)
            {
                return count < 0 && Marshal.GetLastPInvokeError() is Posix.TryAgain or Posix.Interrupted
                    ? false : throw new LoadException("The server closed a client's connection.");
            }

            var bytes = new ReadOnlySpan<byte>(buffer, count);
            while (bytes.Length > 0)
                bytes = bytes[Take(bytes)..];

            if (_received < reply.Length)
                return false;

            _received = 0;
            return _partial.AsSpan().SequenceEqual(reply)
                ? true : throw new LoadException($"Not the reply: '{Encoding.ASCII.GetString(_partial)}'.");
        }

        // The server's own PING may stand before or behind the reply, and be cut like anything else.
        private int Take(ReadOnlySpan<byte> bytes)
        {
            if (_pingLeft == 0 && bytes[0] == (byte)'P' && (_received == 0 || _received == reply.Length))
                _pingLeft = PingBytes;

            if (_pingLeft > 0)
            {
                var skipped = Math.Min(_pingLeft, bytes.Length);
                _pingLeft -= skipped;
                if (_pingLeft == 0)
                    connection.Pong();
                return skipped;
            }

            var taken = Math.Min(reply.Length - _received, bytes.Length);
            if (taken == 0)
                throw new LoadException($"More than one reply: '{Encoding.ASCII.GetString(bytes[..Math.Min(200, bytes.Length)])}'.");

            bytes[..taken].CopyTo(_partial.AsSpan(_received));
            _received += taken;
            return taken;
        }
    }
}
