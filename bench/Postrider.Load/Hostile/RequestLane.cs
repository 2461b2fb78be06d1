using System.Diagnostics;
using System.Text;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>Asks a service of the victim's own, one request after another.</summary>
internal sealed class RequestLane(int port, double perSecond, CancellationToken sending) : ILane
{
    private const int AnswerLimitMilliseconds = 10_000;

    private readonly ProtocolSocket _requester = ProtocolSocket.Open(port, HostileConfiguration.Victim);
    private readonly ProtocolSocket _responder = ProtocolSocket.Open(port, HostileConfiguration.Victim);

    public string Name => "request";

    public string Title => "request to answer";

    public LatencyLog Latencies { get; } = new();

    public DamageCount Damage { get; } = new();

    public void Start(Team team)
    {
        _responder.Send("SUB v.service 1\r\nPING\r\n");
        while (_responder.TryRead(10_000, out var frame) && frame.Line != "PONG")
        {
            // INFO may come first.
        }

        _requester.Send("SUB _INBOX_V.r 1\r\n");
        team.Start("victim answers", Answer);
        team.Start("victim asks", _ => Ask());
    }

    public bool IsSettled() => true;

    public void Finish()
    {
        // Each answer was waited for.
    }

    public void Dispose()
    {
        _requester.Dispose();
        _responder.Dispose();
    }

    private void Ask()
    {
        var payload = VictimPayload.Create(64);
        var head = Encoding.ASCII.GetBytes($"PUB v.service _INBOX_V.r {payload.Length}\r\n");
        var pacer = new Pacer(perSecond);
        for (var number = 1L; !sending.IsCancellationRequested; number++)
        {
            pacer.Await(1);
            VictimPayload.Fill(payload, number, pacer.Stamp());
            _requester.Send([.. head, .. payload, .. "\r\n"u8]);
            if (!AwaitAnswer())
                Damage.Lose(1);
        }
    }

    private bool AwaitAnswer()
    {
        while (_requester.TryRead(AnswerLimitMilliseconds, out var frame))
        {
            if (!frame.IsMessage)
                continue;
            if (Damage.Check(frame.Payload.Span) is { } stamp)
                Latencies.Add(Stopwatch.GetTimestamp() - stamp);
            return true;
        }

        return false;
    }

    private void Answer(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            if (!_responder.TryRead(200, out var frame) || !frame.IsMessage)
                continue;
            _responder.Send([.. Encoding.ASCII.GetBytes($"PUB {frame.ReplyTo} {frame.Payload.Length}\r\n"), .. frame.Payload.Span, .. "\r\n"u8]);
        }
    }
}
