using System.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.UnitTests.Sockets;

namespace Postrider.UnitTests.Broker.Routing;

public sealed class MessageWriterTests
{
    public static TheoryData<int, int, int> Sizes
        => new MatrixTheoryData<int, int, int>([0, 3, 130], [-1, 0, 40], [0, 1, 9, 10, 100, 2_049, 3_900, 4_096, 5_000, 70_000]);

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Frame_has_all_its_parts(int replyBytes, int headerBytes, int payloadBytes)
    {
        var parts = new Parts("orders.new", " 17", Text('r', replyBytes), headerBytes < 0 ? null : Text('h', headerBytes), Text('p', payloadBytes));

        Assert.Equal(parts.Frame, Written(lane => Write(lane, parts)));
    }

    // A frame in one piece begins a new chunk where the last one has too little room for it.
    [Fact]
    public void Frames_of_all_sizes_follow_each_other()
    {
        Parts[] all = [.. Enumerable.Range(0, 1_500).Select(static i => new Parts(Text('s', 1 + (i % 90)), " 1", Text('r', i % 70), i % 3 == 0 ? Text('h', i % 50) : null, Text('p', i * 7 % 4_500)))];

        Assert.Equal(string.Concat(all.Select(static parts => parts.Frame)), Written(lane =>
        {
            foreach (var parts in all) Write(lane, parts);
        }));
    }

    [Fact]
    public void Subject_that_is_longer_than_a_piece_is_written_too()
    {
        var parts = new Parts(Text('s', 9_000), " 1", Text('r', 9_000), null, "payload");

        Assert.Equal(parts.Frame, Written(lane => Write(lane, parts)));
    }

    private static string Written(Action<SendLane> write)
    {
        var connection = new SlowConnection(TimeProvider.System) { Room = int.MaxValue };
        var set = new SendBatchSet();
        var batch = set.Rent();
        batch.Begin();
        write(connection.Outbox.LaneOf(batch));
        batch.End(null);
        set.Return(batch);
        return Encoding.ASCII.GetString([.. connection.Taken]);
    }

    private static void Write(SendLane lane, Parts parts)
    {
        MessageWriter.Write(
            lane, Bytes(parts.Subject), Bytes(parts.Sid), Bytes(parts.ReplyTo), Bytes(parts.Headers ?? ""), Bytes(parts.Payload), parts.Headers is not null);
        lane.CompleteMessage();
    }

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);

    private static string Text(char letter, int length) => new(letter, length);

    private sealed record Parts(string Subject, string Sid, string ReplyTo, string? Headers, string Payload)
    {
        public string Frame
        {
            get
            {
                var reply = ReplyTo.Length == 0 ? "" : " " + ReplyTo;
                var total = (Headers?.Length ?? 0) + Payload.Length;
                return Headers is null
                    ? $"MSG {Subject}{Sid}{reply} {total}\r\n{Payload}\r\n"
                    : $"HMSG {Subject}{Sid}{reply} {Headers.Length} {total}\r\n{Headers}{Payload}\r\n";
            }
        }
    }
}
