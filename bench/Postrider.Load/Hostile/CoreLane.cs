using System.Diagnostics;
using System.Text;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>Publishes on a subject and checks each message that a subscriber gets.</summary>
internal sealed class CoreLane(int port, double perSecond, CancellationToken sending) : ILane
{
    private const int PayloadBytes = 128;
    private const int BatchMessages = 64;

    private readonly ProtocolSocket _publisher = ProtocolSocket.Open(port, HostileConfiguration.Victim);
    private readonly ProtocolSocket _subscriber = ProtocolSocket.Open(port, HostileConfiguration.Victim);
    private long _sent;

    public string Name => "core";

    public string Title => "publish to delivery";

    public LatencyLog Latencies { get; } = new();

    public DamageCount Damage { get; } = new();

    public void Start(Team team)
    {
        _subscriber.Send("SUB v.core 1\r\nPING\r\n");
        while (_subscriber.TryRead(10_000, out var frame) && frame.Line != "PONG")
        {
            // INFO may come first.
        }

        team.Start("victim subscribes", Receive);
        team.Start("victim publishes", _ => Publish());
    }

    public bool IsSettled() => Damage.Last >= Volatile.Read(ref _sent);

    public void Finish() => Damage.Finish(_sent);

    public void Dispose()
    {
        _publisher.Dispose();
        _subscriber.Dispose();
    }

    private void Publish()
    {
        var payload = VictimPayload.Create(PayloadBytes);
        var head = Encoding.ASCII.GetBytes($"PUB v.core {payload.Length}\r\n");
        var block = new byte[BatchMessages * (head.Length + payload.Length + 2)];
        var pacer = new Pacer(perSecond);
        while (!sending.IsCancellationRequested)
        {
            var length = 0;
            var count = pacer.Await(BatchMessages);
            for (var i = 0; i < count; i++)
            {
                VictimPayload.Fill(payload, _sent + i + 1, pacer.Stamp());
                head.CopyTo(block, length);
                payload.CopyTo(block, length + head.Length);
                "\r\n"u8.CopyTo(block.AsSpan(length + head.Length + payload.Length));
                length += head.Length + payload.Length + 2;
            }

            var since = Stopwatch.GetTimestamp();
            _publisher.Send(block.AsSpan(0, length));
            pacer.Blocked(since);
            Volatile.Write(ref _sent, _sent + count);
            while (!_publisher.IsIdle)
                _publisher.TryRead(0, out _);
        }
    }

    private void Receive(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            if (!_subscriber.TryRead(200, out var frame) || !frame.IsMessage)
                continue;
            if (Damage.Check(frame.Payload.Span) is { } stamp)
                Latencies.Add(Stopwatch.GetTimestamp() - stamp);
        }
    }
}
