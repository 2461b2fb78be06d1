using System.Text;
using Postrider.Load.Traffic;

namespace Postrider.UnitTests.Load;

public class InboundMessageTests
{
    public static TheoryData<string, string> Frames => new()
    {
        { "MSG a.b 1 5\r\nhello\r\n", "a.b||| hello" },
        { "MSG a.b 12 reply.to 0\r\n\r\n", "a.b|reply.to|| " },
        { "HMSG a 1 12 17\r\nNATS/1.0\r\n\r\nhello\r\n", "a||NATS/1.0\r\n\r\n| hello" },
        { "HMSG a 1 r 31 31\r\nNATS/1.0 100 FlowControl Re\r\n\r\n\r\n", "a|r|NATS/1.0 100 FlowControl Re\r\n\r\n| " },
        { "PING\r\n", "PING" },
        { "-ERR 'Stale Connection'\r\n", "-ERR 'Stale Connection'" },
    };

    [Theory]
    [MemberData(nameof(Frames))]
    public void Frame_is_read_once_it_is_whole(string frame, string expected)
    {
        var bytes = Encoding.ASCII.GetBytes(frame + "MSG next 1 1\r\nx\r\n");

        for (var length = 0; length < frame.Length; length++)
            Assert.Equal(0, InboundMessage.TryRead(bytes.AsSpan(0, length), out _, out _));
        var read = InboundMessage.TryRead(bytes, out var message, out var line);

        Assert.Equal(frame.Length, read);
        Assert.Equal(expected, message.Subject.IsEmpty ? Encoding.ASCII.GetString(line) : Text(message));
    }

    [Theory]
    [InlineData("HMSG a 1 32 32\r\nNATS/1.0 100 Idle Heartbeat_\r\n\r\n\r\n", true)]
    [InlineData("HMSG a 1 12 12\r\nNATS/1.0\r\n\r\n\r\n", false)]
    [InlineData("MSG a 1 0\r\n\r\n", false)]
    public void Status_is_told_from_a_message_without_payload(string frame, bool expected)
    {
        InboundMessage.TryRead(Encoding.ASCII.GetBytes(frame), out var message, out _);

        Assert.Equal(expected, message.IsStatus);
    }

    private static string Text(InboundMessage message)
        => $"{Encoding.ASCII.GetString(message.Subject)}|{Encoding.ASCII.GetString(message.ReplyTo)}|{Encoding.ASCII.GetString(message.Headers)}| {Encoding.ASCII.GetString(message.Payload)}";
}
