using System.Text;
using Postrider.Sockets;

namespace Postrider.UnitTests.Client.Sessions;

/// <summary>A server inside the process that answers the first PING of each connection as it is told, and no other.</summary>
internal sealed class ScriptedServer : IConnector
{
    private readonly MemoryConnector _inner;

    public ScriptedServer(string greeting, string answer, bool closes)
        => _inner = new MemoryConnector(new SendBatchSet(), connection =>
        {
            connection.Outbox.Send(Encoding.UTF8.GetBytes(greeting));
            connection.Start(new Receiver(connection, answer, closes));
        });

    public const string Info = """INFO {"server_id":"S","version":"2.15.1","headers":true,"max_payload":1048576}""" + "\r\n";

    public ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct) => _inner.ConnectAsync(host, port, ct);

    private sealed class Receiver(Connection connection, string answer, bool closes) : IReceiver
    {
        private bool _answered;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (_answered || input.IndexOf("PING\r\n"u8) < 0) return input.Length;
            _answered = true;
            connection.Outbox.Send(Encoding.UTF8.GetBytes(answer));
            if (closes) connection.CloseAfterSending();
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
        }
    }
}
