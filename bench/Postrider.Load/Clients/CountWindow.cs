using System.Net.Sockets;
using System.Text;
using Postrider.Load.Native;
using Postrider.Load.Runs;
using Postrider.Load.Traffic;

namespace Postrider.Load.Clients;

/// <summary>The flow window of a subscribing client in another process, which publishes its count as it goes.</summary>
internal sealed class CountWindow(int deliveredBytes, Doorbell bell) : IFlowWindow
{
    private const long WindowBytes = Rows.StreamRow.DefaultWindowBytes;

    private long _published;
    private long _counted;

    public long Published => Volatile.Read(ref _published);

    /// <summary>Messages the client says it has received.</summary>
    public long Counted => Volatile.Read(ref _counted);

    public int PollMilliseconds => 5;

    public void Sent(int publisher, int frames) => Volatile.Write(ref _published, _published + frames);

    public bool HasRoom(int publisher) => (Published - Counted) * deliveredBytes < WindowBytes;

    public void Wait() { }

    public void StopWaiting() { }

    /// <summary>Reads counts from the connection until <paramref name="ct"/> stops it.</summary>
    public void Read(Connection connection, CancellationToken ct)
    {
        connection.SetReceiveTimeout(20);
        var buffer = new byte[4096];
        var text = new StringBuilder();
        while (!ct.IsCancellationRequested)
        {
            try
            {
                var read = connection.ReadBlocking(buffer);
                if (read == 0)
                    throw new LoadException("The server closed the connection of the counts.");
                text.Append(Encoding.ASCII.GetString(buffer, 0, read));
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
            {
                continue;
            }

            Take(connection, text);
        }
    }

    private void Take(Connection connection, StringBuilder text)
    {
        var lines = text.ToString().Split("\r\n");
        text.Clear().Append(lines[^1]);
        foreach (var line in lines.AsSpan(0, lines.Length - 1))
        {
            if (line == "PING")
                connection.Pong();
            else if (long.TryParse(line, out var count))
                Volatile.Write(ref _counted, count);
            else if (line.StartsWith("-ERR", StringComparison.Ordinal))
                throw new LoadException($"The server says '{line}'.");
        }

        if (HasRoom(0))
            bell.Ring();
    }
}
