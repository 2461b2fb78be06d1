using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using Postrider.Sockets;

namespace Postrider.UnitTests.Client.Sessions;

/// <summary>A server inside the process that notes what each CONNECT says and answers it as it is told.</summary>
/// <param name="nonce">The nonce of its INFO; null for none.</param>
/// <param name="answer">The answer to the CONNECT of that number, from 1: PONG lets the client in.</param>
internal sealed class CredentialsServer(string? nonce, Func<int, string> answer) : IConnector
{
    public const string Accepted = "PONG\r\n";
    public const string Rejected = "-ERR 'Authorization Violation'\r\n";

    private readonly ConcurrentQueue<JsonElement> _connects = new();
    private Connection? _last;
    private int _count;

    public IReadOnlyList<JsonElement> Connects => [.. _connects];

    /// <summary>Ends the newest connection.</summary>
    public void Drop(string reason = "")
    {
        if (reason.Length > 0) _last!.Outbox.Send(Encoding.UTF8.GetBytes(reason));
        _last!.CloseAfterSending();
    }

    public ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        var inner = new MemoryConnector(new SendBatchSet(), connection =>
        {
            _last = connection;
            var quoted = nonce is null ? "" : $",\"nonce\":\"{nonce}\"";
            connection.Outbox.Send(Encoding.UTF8.GetBytes($$"""INFO {"server_id":"S","version":"2.15.1","headers":true,"auth_required":true,"max_payload":1048576{{quoted}}}""" + "\r\n"));
            connection.Start(new Receiver(this, connection));
        });
        return inner.ConnectAsync(host, port, ct);
    }

    private sealed class Receiver(CredentialsServer server, Connection connection) : IReceiver
    {
        private string _text = "";
        private bool _isAnswered;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            _text += Encoding.UTF8.GetString(input);
            if (_isAnswered)
            {
                if (input.IndexOf("PING\r\n"u8) >= 0) connection.Outbox.Send("PONG\r\n"u8);
                return input.Length;
            }
            var end = _text.IndexOf("\r\nPING\r\n", StringComparison.Ordinal);
            if (end < 0) return input.Length;
            _isAnswered = true;
            server._connects.Enqueue(JsonDocument.Parse(_text["CONNECT ".Length..end]).RootElement);
            var text = server.Answer(Interlocked.Increment(ref server._count));
            connection.Outbox.Send(Encoding.UTF8.GetBytes(text));
            if (text == Rejected) connection.CloseAfterSending();
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
        }
    }

    private string Answer(int number) => answer(number);
}
