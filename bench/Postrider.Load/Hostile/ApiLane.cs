using System.Diagnostics;
using System.Text;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>Asks the JetStream API for the state of the victim's stream.</summary>
internal sealed class ApiLane(int port, double perSecond, CancellationToken sending) : ILane
{
    private const int AnswerLimitMilliseconds = 30_000;

    private readonly ProtocolSocket _socket = ProtocolSocket.Open(port, HostileConfiguration.Victim);

    public string Name => "api";

    public string Title => "STREAM.INFO to answer";

    public LatencyLog Latencies { get; } = new();

    public DamageCount Damage { get; } = new();

    public void Start(Team team)
    {
        _socket.Send("SUB _INBOX_V.i.* 1\r\n");
        team.Start("victim asks the API", _ => Ask());
    }

    public bool IsSettled() => true;

    public void Finish()
    {
        // Each answer was waited for.
    }

    public void Dispose() => _socket.Dispose();

    private void Ask()
    {
        var pacer = new Pacer(perSecond);
        for (var number = 1L; !sending.IsCancellationRequested; number++)
        {
            pacer.Await(1);
            var stamp = pacer.Stamp();
            _socket.Send($"PUB $JS.API.STREAM.INFO.{HostileConfiguration.VictimStream} _INBOX_V.i.{number} 0\r\n\r\n");
            if (AwaitAnswer($"_INBOX_V.i.{number}"))
                Latencies.Add(Stopwatch.GetTimestamp() - stamp);
        }
    }

    // An answer that says the API has too much to do is no data lost, but no answer either.
    private bool AwaitAnswer(string replyTo)
    {
        while (_socket.TryRead(AnswerLimitMilliseconds, out var frame))
        {
            if (frame.Subject != replyTo)
                continue;
            if (Encoding.UTF8.GetString(frame.Payload.Span).Contains("\"state\"", StringComparison.Ordinal))
                return true;
            Damage.NotAnswered();
            return false;
        }

        Damage.NotAnswered();
        return false;
    }
}
