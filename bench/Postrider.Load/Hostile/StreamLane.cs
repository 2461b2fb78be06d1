using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Postrider.Load.Native;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>Publishes to a stream, checks each acknowledgement, and consumes the messages by pulls.</summary>
internal sealed class StreamLane : ILane
{
    private const int PayloadBytes = 256;
    private const int WindowMessages = 512;
    private const int PullMessages = 200;
    private const string Stream = HostileConfiguration.VictimStream;

    private readonly double _perSecond;
    private readonly CancellationToken _sending;
    private readonly ProtocolSocket _publisher;
    private readonly ProtocolSocket _consumer;
    private readonly long[] _stamps = new long[WindowMessages * 2];
    private long _sent;
    private long _acknowledged;

    public StreamLane(int port, double perSecond, CancellationToken sending)
    {
        _perSecond = perSecond;
        _sending = sending;
        _publisher = ProtocolSocket.Open(port, HostileConfiguration.Victim);
        _consumer = ProtocolSocket.Open(port, HostileConfiguration.Victim);
        Create($"STREAM.CREATE.{Stream}", $$"""{"name":"{{Stream}}","subjects":["v.stream"],"storage":"file","max_msgs":500000}""");
        Create($"CONSUMER.DURABLE.CREATE.{Stream}.C", $$"""{"stream_name":"{{Stream}}","config":{"durable_name":"C","ack_policy":"explicit","ack_wait":600000000000,"max_ack_pending":10000} }""");
    }

    public string Name => "stream";

    public string Title => "publish to acknowledgement";

    public LatencyLog Latencies { get; } = new();

    /// <summary>Publish to delivery by the consumer.</summary>
    public LatencyLog Deliveries { get; } = new();

    public DamageCount Damage { get; } = new();

    public void Start(Team team)
    {
        _publisher.Send("SUB _INBOX_V.a.* 1\r\n");
        _consumer.Send("SUB _INBOX_V.p.* 1\r\n");
        team.Start("victim is acknowledged", Acknowledged);
        team.Start("victim consumes", Consume);
        team.Start("victim stores", _ => Publish());
    }

    public bool IsSettled() => Damage.Last >= Volatile.Read(ref _sent) && Volatile.Read(ref _acknowledged) >= _sent;

    public void Finish()
    {
        Damage.Finish(_sent);
        Damage.Lose(_sent - _acknowledged);
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _consumer.Dispose();
    }

    private void Create(string operation, string configuration)
    {
        _publisher.Send($"SUB _INBOX_V.c 2\r\nPUB $JS.API.{operation} _INBOX_V.c {configuration.Length}\r\n{configuration}\r\nUNSUB 2 1\r\n");
        while (_publisher.TryRead(10_000, out var frame))
        {
            if (!frame.IsMessage)
                continue;
            var answer = Encoding.UTF8.GetString(frame.Payload.Span);
            if (answer.Contains("\"error\"", StringComparison.Ordinal))
                throw new LoadException($"{operation}: {answer}");
            return;
        }

        throw new LoadException($"{operation} is not answered.");
    }

    private void Publish()
    {
        var payload = VictimPayload.Create(PayloadBytes);
        var pacer = new Pacer(_perSecond);
        while (!_sending.IsCancellationRequested)
        {
            pacer.Await(1);
            var since = Stopwatch.GetTimestamp();
            while (_sent - Volatile.Read(ref _acknowledged) >= WindowMessages && !_sending.IsCancellationRequested)
                Pause.Milliseconds(1);
            pacer.Blocked(since);

            var number = _sent + 1;
            var stamp = pacer.Stamp();
            VictimPayload.Fill(payload, number, stamp);
            Volatile.Write(ref _stamps[number % _stamps.Length], stamp);
            _publisher.Send([.. Encoding.ASCII.GetBytes($"PUB v.stream _INBOX_V.a.{number} {payload.Length}\r\n"), .. payload, .. "\r\n"u8]);
            Volatile.Write(ref _sent, number);
        }
    }

    private void Acknowledged(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            if (!_publisher.TryRead(200, out var frame) || !frame.IsMessage)
                continue;

            var number = long.Parse(frame.Subject.AsSpan(frame.Subject.LastIndexOf('.') + 1));
            using var answer = JsonDocument.Parse(frame.Payload);
            if (!answer.RootElement.TryGetProperty("seq", out var sequence) || sequence.GetInt64() != number)
                Damage.Corrupted();
            Latencies.Add(Stopwatch.GetTimestamp() - Volatile.Read(ref _stamps[number % _stamps.Length]));
            Volatile.Write(ref _acknowledged, _acknowledged + 1);
        }
    }

    private void Consume(CancellationToken ct)
    {
        const string Pull = """{"batch":200,"expires":1000000000}""";
        for (var pull = 1L; !ct.IsCancellationRequested; pull++)
        {
            _consumer.Send($"PUB $JS.API.CONSUMER.MSG.NEXT.{Stream}.C _INBOX_V.p.{pull} {Pull.Length}\r\n{Pull}\r\n");
            for (var received = 0; received < PullMessages && !ct.IsCancellationRequested;)
            {
                // A pull whose end was not said within 5 s is given up; its messages still count.
                if (!_consumer.TryRead(5000, out var frame))
                    break;
                if (!frame.IsMessage)
                    continue;
                if (!frame.ReplyTo.StartsWith("$JS.ACK.", StringComparison.Ordinal))
                {
                    if (frame.Subject.EndsWith($".{pull}", StringComparison.Ordinal))
                        break;
                    continue;
                }

                received++;
                if (Damage.Check(frame.Payload.Span) is { } stamp)
                    Deliveries.Add(Stopwatch.GetTimestamp() - stamp);
                _consumer.Send($"PUB {frame.ReplyTo} 4\r\n+ACK\r\n");
            }
        }
    }
}
