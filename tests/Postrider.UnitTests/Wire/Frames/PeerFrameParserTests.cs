using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class PeerFrameParserTests
{
    private const string Odd = " \r\n\t+|-0129LMSGHPax\0\xff";

    private static readonly string[] Good =
    [
        "LS+ foo\r\n", "LS- foo\r\n", "ls+  a.*.> \r\n", "LS+ foo workers 3\r\n", "LS- foo workers\r\n", "LS+ foo workers 0\n",
        "LMSG foo 2\r\nhi\r\n", "LMSG foo reply 2\r\nhi\r\n", "LMSG foo + reply q1 q2 2\r\nhi\r\n", "LMSG foo | q1 0\r\n\r\n", "lmsg\tfoo 0\r\n\r\n",
        "HMSG foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n", "HMSG foo + reply q1 12 12\r\nNATS/1.0\r\n\r\n\r\n", "HMSG foo reply 12 14\r\nNATS/1.0\r\n\r\nhi\r\n",
        "PING\r\n", "PONG\r\n", "INFO {\"a\":1}\r\n", "CONNECT {\"b\":2}\r\n", "-ERR 'no'\r\n", "+OK\r\n",
    ];

    [Theory]
    [InlineData(PeerKind.LeafNode, "LMSG foo 1000000\r\n", "LMSG")]
    [InlineData(PeerKind.LeafNode, "HMSG ", "HMSG")]
    [InlineData(PeerKind.Route, "RMSG $G foo", "RMSG")]
    public void Message_of_a_peer_that_is_not_trusted_is_known_by_its_name_and_not_waited_for(PeerKind peer, string text, string name)
    {
        var parser = new PeerFrameParser(peer) { IsTrusted = false };
        ReadOnlySpan<byte> input = Encoding.ASCII.GetBytes(text);

        Assert.Equal(OperationStatus.Done, parser.TryRead(ref input, out var frame));
        Assert.Equal(name, Encoding.ASCII.GetString(frame.Bytes));
        Assert.True(frame.Payload.IsEmpty && frame.Subject.IsEmpty);
    }

    [Fact]
    public void Info_of_a_peer_that_is_not_trusted_has_the_length_of_a_line()
    {
        var text = Encoding.ASCII.GetBytes("INFO {\"x\":\"" + new string('x', 2 * PeerFrameParser.DefaultMaxLineBytes));
        var (trusted, other) = (new PeerFrameParser(PeerKind.Route), new PeerFrameParser(PeerKind.Route) { IsTrusted = false });
        ReadOnlySpan<byte> one = text, two = text;

        Assert.Equal(OperationStatus.NeedMoreData, trusted.TryRead(ref one, out _));
        Assert.Equal(OperationStatus.InvalidData, other.TryRead(ref two, out _));
        Assert.Equal(FrameError.LineTooLong, other.Error);
    }

    public static TheoryData<string, string> Read => new()
    {
        { "LS+ foo\r\n", "Subscribe foo weight 1" },
        { "ls+  a.*.> \r\n", "Subscribe a.*.> weight 1" },
        { "LS+ foo workers 3\r\n", "Subscribe foo [workers] weight 3" },
        { "LS- foo workers\r\n", "Unsubscribe foo [workers] weight 1" },
        { "LMSG foo 2\r\nhi\r\n", "Message foo 'hi'" },
        { "LMSG foo reply 2\r\nhi\r\n", "Message foo reply=reply 'hi'" },
        { "LMSG foo + reply q1 q2 2\r\nhi\r\n", "Message foo reply=reply groups=q1,q2 'hi'" },
        { "LMSG foo | q1  q2 2\r\nhi\r\n", "Message foo groups=q1,q2 'hi'" },
        { "HMSG foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n", "MessageWithHeaders foo headers=12 'hi'" },
        { "HMSG foo + reply q1 12 12\r\nNATS/1.0\r\n\r\n\r\n", "MessageWithHeaders foo reply=reply groups=q1 headers=12 ''" },
        { "INFO {\"a\":1} \r\n", "Info {\"a\":1}" },
        { "-ERR 'no'\r\n", "Error 'no'" },
    };

    public static TheoryData<string, FrameError, string> Bad => new()
    {
        { "SUB foo 1\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "PUB foo 0\r\n\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "MSG foo 1 0\r\n\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "RS+ $G foo\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "GET / HTTP/1.1\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "\0\0\0\0", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "LS* foo\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "LS+foo\r\n", FrameError.UnknownOperation, "the bytes are not an operation of a leaf node connection" },
        { "LS+ \r\n", FrameError.WrongArguments, "LS+ needs a subject" },
        { "LS-\r\n", FrameError.WrongArguments, "LS- needs a subject" },
        { "LS+ foo q\r\n", FrameError.WrongArguments, "LS+ with a queue group needs the group's weight" },
        { "LS+ foo q x\r\n", FrameError.WrongSize, "the weight of a queue group is not a number of at most nine digits" },
        { "LS+ foo q -1\r\n", FrameError.WrongSize, "the weight of a queue group is not a number of at most nine digits" },
        { "LS+ foo q 9999999999\r\n", FrameError.WrongSize, "the weight of a queue group is not a number of at most nine digits" },
        { "LS+ foo q 1 2\r\n", FrameError.WrongArguments, "LS+ has too many arguments" },
        { "LS- foo q 1\r\n", FrameError.WrongArguments, "LS- has too many arguments" },
        { "LMSG\r\n", FrameError.WrongArguments, "a message needs a subject and its size" },
        { "LMSG 2\r\nhi\r\n", FrameError.WrongArguments, "a message needs a subject and its size" },
        { "LMSG foo\r\nhi\r\n", FrameError.WrongArguments, "a message needs a subject and its size" },
        { "LMSG foo -1\r\n", FrameError.WrongSize, "the size of a message is not a number of at most nine digits" },
        { "LMSG foo 0x1\r\n", FrameError.WrongSize, "the size of a message is not a number of at most nine digits" },
        { "LMSG foo 99999999999\r\n", FrameError.WrongSize, "the size of a message is not a number of at most nine digits" },
        { "LMSG foo reply q1 2\r\nhi\r\n", FrameError.WrongArguments, "a message with queue groups needs '+' or '|' after its subject" },
        { "LMSG foo * reply q1 2\r\nhi\r\n", FrameError.WrongArguments, "a message with queue groups needs '+' or '|' after its subject" },
        { "LMSG foo + reply 2\r\nhi\r\n", FrameError.WrongArguments, "a message with '+' needs a reply subject and queue groups" },
        { "LMSG foo 2000\r\n", FrameError.PayloadTooLarge, "a message of 2000 bytes exceeds max_payload 1000" },
        { "LMSG foo 2\r\nhixx", FrameError.UnknownOperation, "the payload of a message does not end in CR LF" },
        { "LMSG foo 2\r\nhi\rx", FrameError.UnknownOperation, "the payload of a message does not end in CR LF" },
        { "HMSG foo 12\r\n", FrameError.WrongArguments, "a message needs a subject and its size" },
        { "HMSG foo x 12\r\n", FrameError.WrongSize, "the size of a message's headers is not a number of at most nine digits" },
        { "HMSG foo 13 12\r\n", FrameError.WrongSize, "the headers of a message have 13 bytes, more than the whole of 12" },
        { "LS+ " + new string('a', 400), FrameError.LineTooLong, "a line exceeds 256 bytes" },
        { "LMSG " + new string(' ', 400), FrameError.LineTooLong, "a line exceeds 256 bytes" },
        { "CONNECT {" + new string(' ', 400), FrameError.LineTooLong, "a line exceeds 256 bytes" },
        { "PING" + new string(' ', 400), FrameError.LineTooLong, "a line exceeds 256 bytes" },
    };

    public static TheoryData<string, int> EveryCut
    {
        get
        {
            var cuts = new TheoryData<string, int>();
            foreach (var frame in Good)
                for (var cut = 0; cut < frame.Length; cut++) cuts.Add(frame, cut);
            return cuts;
        }
    }

    [Theory]
    [MemberData(nameof(Read))]
    public void Frame_is_read(string text, string expected)
    {
        var parser = new PeerFrameParser(PeerKind.LeafNode);
        ReadOnlySpan<byte> input = Encoding.Latin1.GetBytes(text);

        var status = parser.TryRead(ref input, out var frame);

        Assert.Equal((OperationStatus.Done, expected, 0), (status, Describe(frame), input.Length));
    }

    [Theory]
    [MemberData(nameof(Bad))]
    public void Bad_frame_is_refused_with_a_sentence(string text, FrameError error, string problem)
    {
        var parser = new PeerFrameParser(PeerKind.LeafNode) { MaxLineBytes = 256, MaxPayloadBytes = 1000 };
        ReadOnlySpan<byte> input = Encoding.Latin1.GetBytes(text);

        var status = parser.TryRead(ref input, out _);

        Assert.Equal((OperationStatus.InvalidData, error, problem), (status, parser.Error, parser.Problem));
    }

    [Theory]
    [MemberData(nameof(EveryCut))]
    public void Frame_split_at_any_byte_parses_the_same(string text, int cut)
    {
        var parser = new PeerFrameParser(PeerKind.LeafNode);
        var bytes = Encoding.Latin1.GetBytes(text);
        ReadOnlySpan<byte> part = bytes.AsSpan(0, cut);

        var first = parser.TryRead(ref part, out _);
        ReadOnlySpan<byte> whole = bytes;
        var second = parser.TryRead(ref whole, out var frame);

        var fresh = new PeerFrameParser(PeerKind.LeafNode);
        ReadOnlySpan<byte> again = bytes;
        fresh.TryRead(ref again, out var expected);
        Assert.Equal((OperationStatus.NeedMoreData, OperationStatus.Done, Describe(expected)), (first, second, Describe(frame)));
    }

    [Fact]
    public void Random_bytes_end_in_progress_or_an_error()
    {
        var seed = Seed.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var random = new Random(seed);
        var (frames, errors) = (0, 0);
        for (var i = 0; i < 200_000; i++)
        {
            var bytes = Encoding.Latin1.GetBytes(Good[random.Next(Good.Length)] + Good[random.Next(Good.Length)]);
            for (var changes = random.Next(3); changes > 0; changes--) bytes[random.Next(bytes.Length)] = (byte)Odd[random.Next(Odd.Length)];
            var parser = new PeerFrameParser(PeerKind.LeafNode) { MaxLineBytes = 256, MaxPayloadBytes = 1000 };
            ReadOnlySpan<byte> rest = bytes;
            while (true)
            {
                var before = rest.Length;
                var status = parser.TryRead(ref rest, out var frame);
                if (status == OperationStatus.InvalidData)
                {
                    Assert.NotEqual(FrameError.None, parser.Error);
                    Assert.NotEmpty(parser.Problem);
                    errors++;
                    break;
                }
                if (status == OperationStatus.NeedMoreData)
                {
                    Assert.Equal(before, rest.Length);
                    break;
                }
                Assert.Equal(before - frame.Bytes.Length, rest.Length);
                Assert.True(frame.Headers.Length + frame.Payload.Length <= 1000);
                frames++;
            }
        }
        Assert.InRange(frames, 100_000, 400_000);
        Assert.InRange(errors, 10_000, 200_000);
    }

    [Fact]
    public void What_the_writer_writes_is_read_back()
    {
        var interest = new ArrayBufferWriter<byte>();
        PeerFrameWriter.WriteSubscribe(interest, PeerKind.LeafNode, [], "a.>"u8, [], 7);
        PeerFrameWriter.WriteSubscribe(interest, PeerKind.LeafNode, [], "a.b"u8, "q"u8, 7);
        PeerFrameWriter.WriteUnsubscribe(interest, PeerKind.LeafNode, [], "a.b"u8, "q"u8);
        PeerFrameWriter.WriteUnsubscribe(interest, PeerKind.LeafNode, [], "a.>"u8, []);
        Span<byte> head = stackalloc byte[PeerFrameWriter.MaxMessageHeadBytes(0, 3, 5, 5)];
        foreach (var reply in new[] { "", "reply" })
            foreach (var groups in new[] { "", "q1 q2" })
                foreach (var headers in new[] { 0, 12 })
                {
                    var length = PeerFrameWriter.WriteMessageHead(head, PeerKind.LeafNode, [], "foo"u8, Encoding.ASCII.GetBytes(reply), Encoding.ASCII.GetBytes(groups), headers, headers + 2);
                    interest.Write(head[..length]);
                    interest.Write(headers > 0 ? "NATS/1.0\r\n\r\nhi\r\n"u8 : "hi\r\n"u8);
                }

        var parser = new PeerFrameParser(PeerKind.LeafNode);
        var rest = interest.WrittenSpan;
        var read = new List<string>();
        while (parser.TryRead(ref rest, out var frame) == OperationStatus.Done) read.Add(Describe(frame));

        Assert.Equal(
            [
                "Subscribe a.> weight 1", "Subscribe a.b [q] weight 7", "Unsubscribe a.b [q] weight 1", "Unsubscribe a.> weight 1",
                "Message foo 'hi'", "MessageWithHeaders foo headers=12 'hi'",
                "Message foo groups=q1,q2 'hi'", "MessageWithHeaders foo groups=q1,q2 headers=12 'hi'",
                "Message foo reply=reply 'hi'", "MessageWithHeaders foo reply=reply headers=12 'hi'",
                "Message foo reply=reply groups=q1,q2 'hi'", "MessageWithHeaders foo reply=reply groups=q1,q2 headers=12 'hi'",
            ],
            read);
        Assert.Equal(0, rest.Length);
    }

    private static string Describe(in PeerFrame frame)
    {
        var text = frame.Kind.ToString();
        if (!frame.Text.IsEmpty) return $"{text} {Encoding.Latin1.GetString(frame.Text)}";
        if (!frame.Subject.IsEmpty) text += " " + Encoding.Latin1.GetString(frame.Subject);
        if (!frame.QueueGroup.IsEmpty) text += $" [{Encoding.Latin1.GetString(frame.QueueGroup)}]";
        if (frame.Kind is PeerFrameKind.Subscribe or PeerFrameKind.Unsubscribe) return $"{text} weight {frame.Weight}";
        if (!frame.ReplyTo.IsEmpty) text += $" reply={Encoding.Latin1.GetString(frame.ReplyTo)}";
        var groups = new List<string>();
        for (var rest = frame.QueueGroups; PeerFrame.NextQueueGroup(ref rest, out var group);) groups.Add(Encoding.Latin1.GetString(group));
        if (groups.Count > 0) text += $" groups={string.Join(',', groups)}";
        if (!frame.Headers.IsEmpty) text += $" headers={frame.Headers.Length}";
        return frame.Kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders ? $"{text} '{Encoding.Latin1.GetString(frame.Payload)}'" : text;
    }
}
