using System.Buffers;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Consumes a stream from one connection: asks, counts in order, acknowledges, answers flow control.</summary>
internal sealed unsafe class ConsumeLoop : IDisposable
{
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(30);

    private readonly ConsumePlan _plan;
    private readonly Connection _connection;
    private readonly MessageReader _reader;
    private readonly Poller _poller = new();
    private readonly ArrayBufferWriter<byte> _out = new(256 * 1024);
    private long _lastSequence;
    private int _sinceAsked;

    public ConsumeLoop(ConsumePlan plan, Connection connection)
    {
        _plan = plan;
        _connection = connection;
        _reader = new MessageReader(connection);
        connection.Subscribe(ConsumePlan.Inbox, "1");
        connection.RoundTrip();
        _poller.Watch(connection.Descriptor, Posix.Readable, 0);
    }

    /// <summary>Messages consumed.</summary>
    public long Received { get; private set; }

    /// <summary>When the server had handled everything (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    /// <summary>Consumes all messages of the plan, then waits until the server has handled what was said.</summary>
    public void Run()
    {
        if (_plan.Batch > 0)
            Ask(_plan.Batch);
        Send();
        var progress = Stopwatch.GetTimestamp();
        while (Received < _plan.Total || _reader.Pongs == 0)
        {
            if (!_reader.Fill())
            {
                if (_poller.Wait(100) == 0 && Stopwatch.GetElapsedTime(progress) > SilenceLimit)
                    throw new LoadException($"{Received} of {_plan.Total} messages were delivered, then nothing for {SilenceLimit.TotalSeconds} s.");
                continue;
            }

            progress = Stopwatch.GetTimestamp();
            var complete = Received == _plan.Total;
            while (_reader.TryNext(out var message))
                Take(in message);
            if (!complete && Received == _plan.Total)
                _out.Write("PING\r\n"u8);
            Send();
        }

        Finished = progress;
    }

    public void Dispose()
    {
        _poller.Dispose();
        _reader.Dispose();
    }

    private void Take(in InboundMessage message)
    {
        if (message.IsStatus)
        {
            TakeStatus(in message);
            return;
        }

        // $JS.ACK.stream.consumer.delivered.sequence.consumer sequence.time.pending
        var sequence = SequenceOf(message.ReplyTo);
        if (_plan.GetsAll ? sequence != _lastSequence + 1 : sequence <= _lastSequence)
            throw new LoadException($"Message {sequence} was delivered after {_lastSequence}.");
        _lastSequence = sequence;
        Received++;
        if (_plan.Acknowledges)
            Publish(message.ReplyTo, "+ACK"u8);
        if (_plan.Batch > 0 && ++_sinceAsked == _plan.AskAfter && Received < _plan.Total)
            Ask(_plan.AskAfter);
    }

    private void TakeStatus(in InboundMessage message)
    {
        if (!message.Headers.StartsWith("NATS/1.0 100"u8))
            throw new LoadException($"{_plan.Consumer} says '{Encoding.ASCII.GetString(message.Headers)}' after {Received} messages.");
        if (!message.ReplyTo.IsEmpty)
        {
            Publish(message.ReplyTo, []);
            return;
        }

        var stalled = message.Headers.IndexOf("Nats-Consumer-Stalled: "u8);
        if (stalled < 0)
            return;
        var subject = message.Headers[(stalled + "Nats-Consumer-Stalled: "u8.Length)..];
        Publish(subject[..subject.IndexOf((byte)'\r')], []);
    }

    private void Ask(int batch)
    {
        _sinceAsked = 0;
        var request = $"{{\"batch\":{batch},\"expires\":60000000000}}";
        _out.Write(Encoding.ASCII.GetBytes($"PUB $JS.API.CONSUMER.MSG.NEXT.{_plan.Stream}.{_plan.Consumer} {ConsumePlan.Inbox} {request.Length}\r\n{request}\r\n"));
    }

    private void Publish(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload)
    {
        var target = _out.GetSpan(subject.Length + 16);
        "PUB "u8.CopyTo(target);
        subject.CopyTo(target[4..]);
        var end = 4 + subject.Length;
        target[end++] = (byte)' ';
        target[end++] = (byte)('0' + payload.Length);
        "\r\n"u8.CopyTo(target[end..]);
        payload.CopyTo(target[(end + 2)..]);
        "\r\n"u8.CopyTo(target[(end + 2 + payload.Length)..]);
        _out.Advance(end + 4 + payload.Length);
    }

    private void Send()
    {
        var rest = _out.WrittenSpan;
        while (rest.Length > 0)
        {
            fixed (byte* bytes = rest)
            {
                var sent = Posix.Send(_connection.Descriptor, bytes, (nuint)rest.Length, Posix.NoSignal);
                if (sent < 0)
                    throw new LoadException($"The server closed the consumer's connection (errno {Marshal.GetLastPInvokeError()}).");
                rest = rest[(int)sent..];
            }
        }

        _out.ResetWrittenCount();
    }

    private static long SequenceOf(ReadOnlySpan<byte> reply)
    {
        // The fourth token from the end.
        var end = reply.Length;
        for (var i = 0; i < 3; i++)
            end = reply[..end].LastIndexOf((byte)'.');
        long sequence = 0;
        foreach (var digit in reply[(reply[..end].LastIndexOf((byte)'.') + 1)..end])
            sequence = (sequence * 10) + (digit - '0');
        return sequence;
    }
}
