using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class RouteFrameTests
{
    private static readonly string[] Frames =
    [
        "RS+ $G foo\r\n", "RS- $G foo\r\n", "rs+\t$G  a.> \r\n", "RS+ ACC foo workers 3\r\n", "RMSG $G foo 2\r\nhi\r\n", "RMSG $G foo reply 2\r\nhi\r\n",
        "RMSG $G foo + reply q1 q2 2\r\nhi\r\n", "RMSG $G foo | q1 0\r\n\r\n", "HMSG $G foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n", "A+ $G\r\n", "A- $G\r\n",
        "LS+ edge $G foo\r\n", "LS+ edge $G foo q 2\r\n", "LS- edge $G foo\r\n", "LMSG edge $G foo 0 2\r\nhi\r\n", "LMSG edge $G foo reply 12 14\r\nNATS/1.0\r\n\r\nhi\r\n",
    ];

    public static TheoryData<string, int> EveryCut
    {
        get
        {
            var data = new TheoryData<string, int>();
            foreach (var frame in Frames)
                for (var cut = 0; cut < frame.Length; cut++) data.Add(frame, cut);
            return data;
        }
    }

    [Theory]
    [InlineData("RS+ ACC foo workers 3\r\n", "Subscribe", "ACC", "foo", "workers", 3)]
    [InlineData("rs+\t$G  a.> \r\n", "Subscribe", "$G", "a.>", "", 1)]
    [InlineData("RS- $G foo q\r\n", "Unsubscribe", "$G", "foo", "q", 1)]
    [InlineData("RMSG $G foo 2\r\nhi\r\n", "Message", "$G", "foo", "", 0)]
    [InlineData("HMSG ACC foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n", "MessageWithHeaders", "ACC", "foo", "", 0)]
    public void Frame_of_a_route_names_its_account(string text, string kind, string account, string subject, string group, int weight)
    {
        var parser = new PeerFrameParser(PeerKind.Route);
        ReadOnlySpan<byte> input = Encoding.Latin1.GetBytes(text);

        var status = parser.TryRead(ref input, out var frame);

        Assert.Equal((OperationStatus.Done, 0), (status, input.Length));
        Assert.Equal(
            (kind, account, subject, group, weight),
            (frame.Kind.ToString(), Encoding.Latin1.GetString(frame.Account), Encoding.Latin1.GetString(frame.Subject), Encoding.Latin1.GetString(frame.QueueGroup), frame.Weight));
    }

    [Theory]
    [InlineData("LS+ edge $G foo\r\n", "Subscribe edge $G foo   ")]
    [InlineData("ls+  edge ACC foo q 3\r\n", "Subscribe edge ACC foo  q ")]
    [InlineData("LS- edge $G foo q\r\n", "Unsubscribe edge $G foo  q ")]
    [InlineData("LMSG edge $G foo 0 2\r\nhi\r\n", "Message edge $G foo   hi")]
    [InlineData("LMSG edge $G foo reply 0 2\r\nhi\r\n", "Message edge $G foo reply  hi")]
    [InlineData("LMSG edge $G foo + reply q 12 14\r\nNATS/1.0\r\n\r\nhi\r\n", "MessageWithHeaders edge $G foo reply q hi")]
    [InlineData("LMSG edge $G foo | q 0 0\r\n\r\n", "Message edge $G foo  q ")]
    public void Frame_of_a_leaf_node_names_its_cluster(string text, string expected)
    {
        var parser = new PeerFrameParser(PeerKind.Route);
        ReadOnlySpan<byte> input = Encoding.Latin1.GetBytes(text);

        var status = parser.TryRead(ref input, out var frame);

        Assert.Equal((OperationStatus.Done, 0, true), (status, input.Length, frame.IsOfLeafNode));
        var groups = frame.QueueGroup.IsEmpty ? frame.QueueGroups : frame.QueueGroup;
        byte[][] parts = [frame.Origin.ToArray(), frame.Account.ToArray(), frame.Subject.ToArray(), frame.ReplyTo.ToArray(), groups.ToArray(), frame.Payload.ToArray()];
        Assert.Equal(expected, $"{frame.Kind} {string.Join(' ', parts.Select(static part => Encoding.Latin1.GetString(part)))}");
    }

    [Fact]
    public void End_of_interest_of_a_leaf_node_may_lack_its_cluster()
    {
        var parser = new PeerFrameParser(PeerKind.Route) { HasOriginsOfEnds = false };
        ReadOnlySpan<byte> input = "LS- $G foo\r\n"u8;

        parser.TryRead(ref input, out var frame);

        Assert.Equal(("", "$G", "foo", true), (Encoding.Latin1.GetString(frame.Origin), Encoding.Latin1.GetString(frame.Account), Encoding.Latin1.GetString(frame.Subject), frame.IsOfLeafNode));
    }

    [Theory]
    [InlineData("q", 3, "LS+ edge $G foo q 3\r\n", "LS- edge $G foo q\r\n")]
    [InlineData("", 1, "LS+ edge $G foo\r\n", "LS- edge $G foo\r\n")]
    public void Interest_of_a_leaf_node_is_written_with_its_cluster(string group, int weight, string begins, string ends)
    {
        var (first, second) = (new ArrayBufferWriter<byte>(), new ArrayBufferWriter<byte>());

        PeerFrameWriter.WriteSubscribe(first, PeerKind.Route, "$G"u8, "foo"u8, Encoding.Latin1.GetBytes(group), weight, "edge"u8);
        PeerFrameWriter.WriteUnsubscribe(second, PeerKind.Route, "$G"u8, "foo"u8, Encoding.Latin1.GetBytes(group), "edge"u8);

        Assert.Equal((begins, ends), (Encoding.Latin1.GetString(first.WrittenSpan), Encoding.Latin1.GetString(second.WrittenSpan)));
    }

    [Theory]
    [InlineData(0, 5, "LMSG edge $G foo + reply q 0 5\r\n")]
    [InlineData(12, 17, "LMSG edge $G foo + reply q 12 17\r\n")]
    public void Message_of_a_leaf_node_is_written_with_both_sizes(int headers, int total, string expected)
    {
        Span<byte> target = new byte[PeerFrameWriter.MaxMessageHeadBytes(2, 3, 5, 1, 4)];

        var written = PeerFrameWriter.WriteMessageHead(target, PeerKind.Route, "$G"u8, "foo"u8, "reply"u8, "q"u8, headers, total, "edge"u8);

        Assert.Equal(expected, Encoding.Latin1.GetString(target[..written]));
    }

    [Theory]
    [MemberData(nameof(EveryCut))]
    public void Frame_split_at_any_byte_waits_for_the_rest(string text, int cut)
    {
        var parser = new PeerFrameParser(PeerKind.Route);
        var bytes = Encoding.Latin1.GetBytes(text);
        ReadOnlySpan<byte> part = bytes.AsSpan(0, cut);

        var first = parser.TryRead(ref part, out _);
        ReadOnlySpan<byte> whole = bytes;
        var second = parser.TryRead(ref whole, out _);

        Assert.Equal((OperationStatus.NeedMoreData, OperationStatus.Done), (first, second));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_the_writer_writes_is_read_back_with_and_without_accounts(bool hasAccounts)
    {
        var written = new ArrayBufferWriter<byte>();
        ReadOnlySpan<byte> account = hasAccounts ? "ACC"u8 : [];
        PeerFrameWriter.WriteSubscribe(written, PeerKind.Route, account, "a.b"u8, "q"u8, 7);
        PeerFrameWriter.WriteUnsubscribe(written, PeerKind.Route, account, "a.b"u8, "q"u8);
        var head = new byte[PeerFrameWriter.MaxMessageHeadBytes(3, 3, 5, 5)];
        written.Write(head.AsSpan(0, PeerFrameWriter.WriteMessageHead(head, PeerKind.Route, account, "foo"u8, "reply"u8, "q1 q2"u8, 0, 2)));
        written.Write("hi\r\n"u8);

        var parser = new PeerFrameParser(PeerKind.Route) { HasAccounts = hasAccounts };
        var rest = written.WrittenSpan;
        var read = new List<string>();
        while (parser.TryRead(ref rest, out var frame) == OperationStatus.Done)
            read.Add($"{frame.Kind} {Encoding.Latin1.GetString(frame.Account)} {Encoding.Latin1.GetString(frame.Subject)} {Encoding.Latin1.GetString(frame.Payload)}");

        var name = hasAccounts ? "ACC" : "";
        Assert.Equal([$"Subscribe {name} a.b ", $"Unsubscribe {name} a.b ", $"Message {name} foo hi"], read);
        Assert.Equal(0, rest.Length);
    }
}
