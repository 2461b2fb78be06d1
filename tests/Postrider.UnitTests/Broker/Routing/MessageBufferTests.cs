using System.Text;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.Routing;

public sealed class MessageBufferTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(40)]
    public void Messages_come_out_as_they_were_added_while_the_buffer_grows_and_takes_over_another(int addedBefore)
    {
        var random = new Random(1);
        var (buffer, other) = (new MessageBuffer(), new MessageBuffer());
        var expected = new List<string>();
        for (var i = 0; i < addedBefore; i++) Add(buffer, random, expected);
        for (var i = 0; i < 400; i++) Add(other, random, expected);

        buffer.AddAll(other);
        for (var i = 0; i < 40; i++) Add(buffer, random, expected);

        Assert.Equal(0, other.Count);
        Assert.Equal(expected.Count, buffer.Count);
        Assert.Equal(expected, Read(buffer));
    }

    [Fact]
    public void Memory_of_a_released_buffer_is_not_written_to_by_it()
    {
        var (first, second) = (new MessageBuffer(), new MessageBuffer());
        var expected = new List<string>();
        first.Add("a"u8, [], new byte[300_000]);
        first.Release();
        first.Release();
        Add(second, new Random(2), expected);
        second.Add("large"u8, [], Encoding.ASCII.GetBytes(new string('s', 300_000)));
        expected.Add("large large   " + new string('s', 300_000));

        first.Add("b"u8, [], new byte[300_000]);

        Assert.Equal(expected, Read(second));
        Assert.Equal((1, 0), (first.Count, new MessageBuffer().Count));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Large_contents_are_no_garbage(bool isReleased)
    {
        Fill();
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 10; i++) Fill();

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 50_000);

        void Fill()
        {
            var buffer = new MessageBuffer();
            for (var i = 0; i < 900; i++) buffer.Add("subject"u8, [], new ReadOnlySpan<byte>(Payload));
            if (isReleased) buffer.Release();
            else buffer.Clear();
        }
    }

    private static readonly byte[] Payload = new byte[1000];

    private static void Add(MessageBuffer buffer, Random random, List<string> expected)
    {
        var payload = new string((char)('a' + random.Next(26)), random.Next(10) == 0 ? random.Next(50_000) : random.Next(200));
        var (subject, shown, replyTo, headers) = ($"s.{random.Next(100)}", $"shown.{random.Next(100)}", random.Next(2) == 0 ? "" : "reply", random.Next(2) == 0 ? "" : "NATS/1.0\r\n\r\n");
        buffer.Add(Encoding.ASCII.GetBytes(subject), Encoding.ASCII.GetBytes(shown), Encoding.ASCII.GetBytes(replyTo), Encoding.ASCII.GetBytes(headers), Encoding.ASCII.GetBytes(payload));
        expected.Add($"{subject} {shown} {replyTo} {headers} {payload}");
    }

    private static List<string> Read(MessageBuffer buffer)
    {
        var read = new List<string>();
        for (var at = 0; buffer.TryRead(ref at, out var message);)
            read.Add($"{Text(message.Subject)} {Text(message.ShownSubject)} {Text(message.ReplyTo)} {Text(message.Headers)} {Text(message.Payload)}");
        return read;
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetString(bytes);
}
