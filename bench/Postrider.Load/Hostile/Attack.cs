using System.Net.Sockets;
using System.Text;

namespace Postrider.Load.Hostile;

/// <summary>What a behaviour works with: a connection, random numbers, and an end.</summary>
/// <remarks>Used by one thread. Every message that arrives is checked for what only the victim may see.</remarks>
internal sealed class Attack : IDisposable
{
    private const int AnswerLimitMilliseconds = 2000;

    private readonly List<ProtocolSocket> _others = [];
    private readonly long _deadline;
    private readonly string _inbox;
    private ProtocolSocket? _wire;
    private int _calls;

    public Attack(int port, int monitoringPort, Random random, TimeSpan length)
    {
        Port = port;
        MonitoringPort = monitoringPort;
        Random = random;
        _deadline = Environment.TickCount64 + (long)length.TotalMilliseconds;
        _inbox = $"_INBOX_H.{random.NextInt64():x}";
    }

    public int Port { get; }

    public int MonitoringPort { get; }

    public Random Random { get; }

    /// <summary>What the hostile client got that it must not get.</summary>
    public List<string> Leaks { get; } = [];

    /// <summary>How often the server said that something is not permitted.</summary>
    public int Refused { get; private set; }

    /// <summary>Time is left.</summary>
    public bool More => Environment.TickCount64 < _deadline;

    /// <summary>The behaviour's connection, logged in and subscribed to its inbox.</summary>
    public ProtocolSocket Wire
    {
        get
        {
            if (_wire is null)
            {
                _wire = ProtocolSocket.Open(Port, HostileConfiguration.Hostile);
                _wire.Send($"SUB {_inbox}.* inbox\r\n");
            }

            return _wire;
        }
    }

    /// <summary>Number of one of the hostile streams.</summary>
    public int AnyStream() => Random.Next(HostileConfiguration.HostileStreams);

    public string AnyStorage() => Random.Next(3) == 0 ? "file" : "memory";

    /// <summary>One more connection of the same user, closed with the behaviour.</summary>
    public ProtocolSocket Open()
    {
        var socket = ProtocolSocket.Open(Port, HostileConfiguration.Hostile);
        _others.Add(socket);
        return socket;
    }

    /// <summary>A connection that has said nothing yet, closed with the behaviour.</summary>
    public ProtocolSocket Connect(int port)
    {
        var socket = ProtocolSocket.Connect(port);
        _others.Add(socket);
        return socket;
    }

    /// <summary>Sends, then reads what has arrived.</summary>
    public void Send(string text)
    {
        Wire.Send(text);
        Drain(Wire);
    }

    public void Publish(string subject, string payload, string replyTo = "") => Send(Frame(subject, payload, replyTo));

    public static string Frame(string subject, string payload, string replyTo = "")
        => $"PUB {subject} {replyTo} {payload.Length}\r\n{payload}\r\n";

    public static string Frame(string subject, IEnumerable<string> headers, string payload, string replyTo = "")
    {
        var lines = "NATS/1.0\r\n" + string.Concat(headers.Select(header => header + "\r\n")) + "\r\n";
        return $"HPUB {subject} {replyTo} {lines.Length} {lines.Length + payload.Length}\r\n{lines}{payload}\r\n";
    }

    /// <summary>A request to the JetStream API; waits for its answer.</summary>
    /// <returns>The answer, or null when there was none within two seconds or nobody to answer.</returns>
    public string? Call(string operation, string payload = "") => Request("$JS.API." + operation, payload);

    public string? Request(string subject, string payload)
    {
        var replyTo = $"{_inbox}.{++_calls}";
        Wire.Send(Frame(subject, payload, replyTo));
        var deadline = Environment.TickCount64 + AnswerLimitMilliseconds;
        while (Environment.TickCount64 < deadline && Wire.TryRead((int)Math.Max(0, deadline - Environment.TickCount64), out var frame))
        {
            Look(frame);
            // Nobody answers, or the requests of this user that wait are too many: it was not done.
            if (frame.Subject == replyTo && frame.Headers.Span.StartsWith("NATS/1.0 503"u8))
                return null;
            if (frame.Subject == replyTo)
                return Encoding.UTF8.GetString(frame.Payload.Span);
        }

        return null;
    }

    /// <summary>A request whose answer is not waited for, but comes.</summary>
    public void Post(string operation, string payload = "") => Publish("$JS.API." + operation, payload, $"{_inbox}.{++_calls}");

    /// <summary>Makes a hostile stream, whatever it was before. Its size is bounded: the hostile client is out for
    /// the server's memory and time, not for a full disk.</summary>
    public void MakeStream(int number, string more = "")
    {
        Call($"STREAM.DELETE.H{number}");
        Call($"STREAM.CREATE.H{number}", Stream(number, more));
    }

    public string Stream(int number, string more = "")
        => $$"""{"name":"H{{number}}","subjects":["h.{{number}}.>"],"storage":"{{AnyStorage()}}","max_bytes":33554432,"discard":"old"{{more}} }""";

    public void Fill(int number, int messages, int bytes)
    {
        var payload = new string('x', bytes);
        for (var i = 0; i < messages && More; i++)
            Publish($"h.{number}.{i % 50}", payload);
    }

    /// <summary>Something that must be refused; an answer without an error is a leak.</summary>
    public void MustBeRefused(string subject, string payload)
    {
        var answer = Request(subject, payload);
        if (answer is not null && !answer.Contains("\"error\"", StringComparison.Ordinal))
            Leaks.Add($"{subject} was answered: {answer[..Math.Min(answer.Length, 100)]}");
    }

    public void Drain(ProtocolSocket socket)
    {
        while (!socket.IsIdle && socket.TryRead(0, out var frame))
            Look(frame);
    }

    /// <summary>Reads whatever comes until nothing has come for the given time.</summary>
    public void Listen(ProtocolSocket socket, int milliseconds)
    {
        while (More && socket.TryRead(milliseconds, out var frame))
            Look(frame);
    }

    public void Dispose()
    {
        _wire?.Dispose();
        foreach (var other in _others)
            other.Dispose();
    }

    /// <summary>What a server does to a hostile client: it ends the connection, or takes no more.</summary>
    public static bool IsExpected(Exception e) => e is IOException or SocketException or LoadException;

    private void Look(in ProtocolFrame frame)
    {
        if (frame.IsError && frame.Line.Contains("Permissions Violation", StringComparison.OrdinalIgnoreCase))
            Refused++;
        if (!frame.IsMessage)
            return;
        if (frame.Subject.StartsWith("v.", StringComparison.Ordinal) || frame.Subject.StartsWith("_INBOX_V", StringComparison.Ordinal)
            || frame.Payload.Span.IndexOf(VictimPayload.Mark) >= 0)
            Leaks.Add($"a message on {frame.Subject}");
    }
}
