using System.Net.Sockets;
using System.Text;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>The untimed proof that a row delivers exactly what it should: every frame numbered, every byte compared.</summary>
internal static class Validation
{
    // More than any socket buffer on the way holds, so that back-pressure is part of the proof.
    private const int BytesPerPublisher = 12 * 1024 * 1024;
    private const int MostMessages = 50_000;

    /// <summary>Sends numbered frames and compares what each subscriber gets, byte for byte.</summary>
    /// <returns>How many deliveries were compared.</returns>
    /// <exception cref="LoadException">A message lost, doubled, out of its publisher's order, or altered.</exception>
    public static long Check(StreamRow row, ServerProcess server)
    {
        if (row.Feed == Feed.None)
            return 0;

        var deliveredBytes = FrameRenderer.Delivered(row, 0, 0, StreamRun.Sid).Length;
        var count = Math.Min(MostMessages, BytesPerPublisher / deliveredBytes);
        using var sockets = new SocketSet(server.Port);
        using var receiving = new SocketSet(server.Port, server.Spec.SubscriberUser);
        var subscribers = StreamRun.OpenSubscribers(row, receiving);
        var publishers = sockets.Open(row.Publishers);
        var blocks = Enumerable.Range(0, row.Publishers).Select(i => FrameRenderer.Sequence(row, i, count)).ToArray();
        var due = (long)count * row.Publishers * row.Copies;
        var check = new DeliveryCheck(row, count);
        using var team = new Team();

        for (var i = 0; i < subscribers.Length; i++)
        {
            var subscriber = i;
            team.Start($"check {i}", ct => Receive(subscribers[subscriber], check, subscriber, due, ct));
        }

        for (var i = 0; i < publishers.Length; i++)
        {
            var publisher = i;
            team.Start($"send {i}", _ =>
            {
                publishers[publisher].Say(blocks[publisher].Bytes);
                publishers[publisher].RoundTrip();
            });
        }

        team.Join();
        foreach (var block in blocks)
            block.Dispose();
        check.ExpectComplete(due);
        return due;
    }

    private static void Receive(Connection connection, DeliveryCheck check, int subscriber, long due, CancellationToken ct)
    {
        connection.SetReceiveTimeout(50);
        var buffer = new byte[256 * 1024];
        var silences = 0;
        while (!ct.IsCancellationRequested)
        {
            try
            {
                var read = connection.ReadBlocking(buffer);
                if (read == 0)
                    throw new LoadException("The server closed a subscriber's connection.");
                silences = 0;
                if (check.Accept(subscriber, buffer.AsSpan(0, read)))
                    connection.Say("PONG\r\n");
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
            {
                // One more silent look after the last delivery shows that nothing comes twice.
                if (++silences > 100 || (check.Delivered >= due && silences > 1))
                    return;
            }
        }
    }
}
