using System.Buffers;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class FrameParserTests
{
    [Theory]
    [InlineData("HPUB a 12 12\r\n")]
    [InlineData("hpub a 12 100\n")]
    [InlineData("HPUB nonsense\r\n")]
    [InlineData("HPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello\r\nPING\r\nPING\r\nPING\r\nPING\r\nPING\r\nPING\r\n")]
    public void Headers_that_are_refused_are_refused_at_the_end_of_the_line(string input)
    {
        var parser = new FrameParser(FrameKind.FromClient) { RefusesHeaders = true };
        ReadOnlySpan<byte> rest = Encoding.ASCII.GetBytes(input);

        var status = parser.TryRead(ref rest, out _);

        Assert.Equal((OperationStatus.InvalidData, FrameError.HeadersNotSupported), (status, parser.Error));
    }

    // Input with \r\n as written, the frames that it holds.
    private static readonly (string Input, string[] Frames)[] FromClient =
    [
        ("PING\r\n", ["Ping"]),
        ("ping\n", ["Ping"]),
        ("PiNg  anything behind it \t goes\r\n", ["Ping"]),
        ("PINGPONG\r\nPONG\r\n", ["Ping", "Pong"]),
        ("PONG\r\n", ["Pong"]),
        ("+OK\r\n", ["Ok"]),
        ("+ok behind\r\n", ["Ok"]),
        ("-ERR 'Some Error'\r\n", ["Error text='Some Error'"]),
        ("-err\t'x'\n", ["Error text='x'"]),
        ("CONNECT {\"verbose\":false}\r\n", ["Connect text={\"verbose\":false}"]),
        ("connect\t {\"a\": 1} \r\n", ["Connect text={\"a\": 1} "]),
        ("CONNECT{}\r\n", ["Connect text={}"]),
        ("CONNECT\r\n", ["Connect text="]),
        ("INFO {}\r\n", ["Info text={}"]),
        ("SUB foo 1\r\n", ["Subscribe subject=foo queue= sid=1"]),
        ("SUB foo.* q 22\r\n", ["Subscribe subject=foo.* queue=q sid=22"]),
        ("sub\tfoo.>\t \tq\t3\t\n", ["Subscribe subject=foo.> queue=q sid=3"]),
        ("Sub   a   b   \r\n", ["Subscribe subject=a queue= sid=b"]),
        ("UNSUB 1\r\n", ["Unsubscribe sid=1 max=-1"]),
        ("UNSUB 1 5\r\n", ["Unsubscribe sid=1 max=5"]),
        ("unsub\tabc\t999999999\n", ["Unsubscribe sid=abc max=999999999"]),
        ("UNSUB 1 x\r\n", ["Unsubscribe sid=1 max=0"]),
        ("UNSUB 1 -1\r\n", ["Unsubscribe sid=1 max=0"]),
        ("UNSUB 1 1000000000\r\n", ["Unsubscribe sid=1 max=0"]),
        ("PUB foo 5\r\nhello\r\n", [Publish("PUB foo 5\r\nhello\r\n", "foo", "", "hello", " 5\r\nhello\r\n")]),
        ("PUB foo 0\r\n\r\n", [Publish("PUB foo 0\r\n\r\n", "foo", "", "", " 0\r\n\r\n")]),
        ("PUB foo 0000\r\n\r\n", [Publish("PUB foo 0000\r\n\r\n", "foo", "", "", " 0000\r\n\r\n")]),
        ("PUB foo INBOX.22 5\r\nhello\r\n", [Publish("PUB foo INBOX.22 5\r\nhello\r\n", "foo", "INBOX.22", "hello", " INBOX.22 5\r\nhello\r\n")]),
        ("pub foo 5\r\nhello\r\n", [Publish("pub foo 5\r\nhello\r\n", "foo", "", "hello", " 5\r\nhello\r\n")]),
        ("PUB foo 5\nhello\r\n", [Publish("PUB foo 5\nhello\r\n", "foo", "", "hello", null)]),
        ("PUB  foo 5\r\nhello\r\n", [Publish("PUB  foo 5\r\nhello\r\n", "foo", "", "hello", " 5\r\nhello\r\n")]),
        ("PUB foo  5\r\nhello\r\n", [Publish("PUB foo  5\r\nhello\r\n", "foo", "", "hello", null)]),
        ("PUB foo 5 \r\nhello\r\n", [Publish("PUB foo 5 \r\nhello\r\n", "foo", "", "hello", null)]),
        ("PUB\tfoo\t5\r\nhello\r\n", [Publish("PUB\tfoo\t5\r\nhello\r\n", "foo", "", "hello", null)]),
        ("PUB foo\tr 5\r\nhello\r\n", [Publish("PUB foo\tr 5\r\nhello\r\n", "foo", "r", "hello", null)]),
        ("PUB foo\rr 5\r\nhello\r\n", [Publish("PUB foo\rr 5\r\nhello\r\n", "foo", "r", "hello", null)]),
        ("PUB \rfoo 5\r\nhello\r\n", [Publish("PUB \rfoo 5\r\nhello\r\n", "foo", "", "hello", " 5\r\nhello\r\n")]),
        ("PUB foo 5\r\r\nhello\r\n", [Publish("PUB foo 5\r\r\nhello\r\n", "foo", "", "hello", null)]),
        ("PUB foo 4\r\n\r\n\r\n\r\n", [Publish("PUB foo 4\r\n\r\n\r\n\r\n", "foo", "", "\r\n\r\n", " 4\r\n\r\n\r\n\r\n")]),
        ("PUB foo 000000005\r\nhello\r\n", [Publish("PUB foo 000000005\r\nhello\r\n", "foo", "", "hello", " 000000005\r\nhello\r\n")]),
        ("HPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello\r\n",
            [Headed("HPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello\r\n", "foo", "", "NATS/1.0\r\n\r\n", "hello", " 12 17\r\nNATS/1.0\r\n\r\nhello\r\n")]),
        ("HPUB foo r 12 12\r\nNATS/1.0\r\n\r\n\r\n",
            [Headed("HPUB foo r 12 12\r\nNATS/1.0\r\n\r\n\r\n", "foo", "r", "NATS/1.0\r\n\r\n", "", " r 12 12\r\nNATS/1.0\r\n\r\n\r\n")]),
        ("hpub\tfoo 12  17\nNATS/1.0\r\n\r\nhello\r\n",
            [Headed("hpub\tfoo 12  17\nNATS/1.0\r\n\r\nhello\r\n", "foo", "", "NATS/1.0\r\n\r\n", "hello", null)]),
        ("HPUB foo 0 5\r\nhello\r\n", [Headed("HPUB foo 0 5\r\nhello\r\n", "foo", "", "", "hello", " 0 5\r\nhello\r\n")]),
        ("PUB a 1\r\nx\r\nPING\r\nPUB b 1\r\ny\r\nSUB c 1\r\n",
            [Publish("PUB a 1\r\nx\r\n", "a", "", "x", " 1\r\nx\r\n"), "Ping", Publish("PUB b 1\r\ny\r\n", "b", "", "y", " 1\r\ny\r\n"), "Subscribe subject=c queue= sid=1"]),
        ("PUB first.of.two some.reply.subject.of.some.length 3\r\nabc\r\nPUB s 0\r\n\r\nPING\r\n",
            [
                Publish("PUB first.of.two some.reply.subject.of.some.length 3\r\nabc\r\n", "first.of.two", "some.reply.subject.of.some.length", "abc", " some.reply.subject.of.some.length 3\r\nabc\r\n"),
                Publish("PUB s 0\r\n\r\n", "s", "", "", " 0\r\n\r\n"),
                "Ping",
            ]),
    ];

    private static readonly (string Input, string[] Frames)[] FromServer =
    [
        ("INFO {\"server_id\":\"N\"} \r\n", ["Info text={\"server_id\":\"N\"} "]),
        ("PING\r\nPONG\r\n+OK\r\n", ["Ping", "Pong", "Ok"]),
        ("-ERR 'Unknown Protocol Operation'\r\n", ["Error text='Unknown Protocol Operation'"]),
        ("MSG foo 1 5\r\nhello\r\n", ["Message subject=foo sid=1 reply= headers= payload=hello all=5 sizes=0/5 bytes=MSG foo 1 5\\r\\nhello\\r\\n tail= 1 5\\r\\nhello\\r\\n"]),
        ("MSG foo 1 r 0\r\n\r\n", ["Message subject=foo sid=1 reply=r headers= payload= all=0 sizes=0/0 bytes=MSG foo 1 r 0\\r\\n\\r\\n tail= 1 r 0\\r\\n\\r\\n"]),
        ("msg\tfoo  1\t2\nhi\r\n", ["Message subject=foo sid=1 reply= headers= payload=hi all=2 sizes=0/2 bytes=msg\\tfoo  1\\t2\\nhi\\r\\n"]),
        ("HMSG foo 1 r 12 14\r\nNATS/1.0\r\n\r\nhi\r\n",
            ["MessageWithHeaders subject=foo sid=1 reply=r headers=NATS/1.0\\r\\n\\r\\n payload=hi all=14 sizes=12/14 bytes=HMSG foo 1 r 12 14\\r\\nNATS/1.0\\r\\n\\r\\nhi\\r\\n tail= 1 r 12 14\\r\\nNATS/1.0\\r\\n\\r\\nhi\\r\\n"]),
        ("HMSG foo 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n",
            ["MessageWithHeaders subject=foo sid=1 reply= headers=NATS/1.0 503\\r\\n\\r\\n payload= all=16 sizes=16/16 bytes=HMSG foo 1 16 16\\r\\nNATS/1.0 503\\r\\n\\r\\n\\r\\n tail= 1 16 16\\r\\nNATS/1.0 503\\r\\n\\r\\n\\r\\n"]),
    ];

    // Input, the error it ends in. The errors are the reference's: which text each becomes is the session's matter.
    private static readonly (string Input, FrameError Error)[] BadFromClient =
    [
        ("X", FrameError.UnknownOperation),
        ("\r\n", FrameError.UnknownOperation),
        ("\n", FrameError.UnknownOperation),
        (" PING\r\n", FrameError.UnknownOperation),
        ("\0\0\0\0", FrameError.UnknownOperation),
        ("GET / HTTP/1.1\r\n", FrameError.UnknownOperation),
        ("PIX", FrameError.UnknownOperation),
        ("PUX", FrameError.UnknownOperation),
        ("PUB\r\n", FrameError.UnknownOperation),
        ("PUBfoo 5\r\n", FrameError.UnknownOperation),
        ("SUB\r\n", FrameError.UnknownOperation),
        ("SUBS foo 1\r\n", FrameError.UnknownOperation),
        ("UNSUB\n", FrameError.UnknownOperation),
        ("HPUB\n", FrameError.UnknownOperation),
        ("-ERR\r\n", FrameError.UnknownOperation),
        ("-OK\r\n", FrameError.UnknownOperation),
        ("+ERR\r\n", FrameError.UnknownOperation),
        ("MSG foo 1 5\r\nhello\r\n", FrameError.UnknownOperation),
        ("HMSG foo 1 12 17\r\n", FrameError.UnknownOperation),
        ("PUB \r\n", FrameError.WrongArguments),
        ("PUB foo\r\n", FrameError.WrongArguments),
        ("PUB a b c 5\r\n", FrameError.WrongArguments),
        ("PUB a b c d e f g h 5\r\n", FrameError.WrongArguments),
        ("SUB foo\r\n", FrameError.WrongArguments),
        ("SUB \r\n", FrameError.WrongArguments),
        ("SUB a b c d\r\n", FrameError.WrongArguments),
        ("UNSUB \r\n", FrameError.WrongArguments),
        ("UNSUB 1 2 3\r\n", FrameError.WrongArguments),
        ("HPUB foo 12\r\n", FrameError.WrongArguments),
        ("HPUB a b c 1 2\r\n", FrameError.WrongArguments),
        ("PUB foo x\r\n", FrameError.WrongSize),
        ("PUB foo -1\r\n", FrameError.WrongSize),
        ("PUB foo +1\r\n", FrameError.WrongSize),
        ("PUB foo 1x\r\n", FrameError.WrongSize),
        ("PUB foo 1.0\r\n", FrameError.WrongSize),
        ("PUB foo 0x1\r\n", FrameError.WrongSize),
        ("PUB foo 1000000000\r\n", FrameError.WrongSize),
        ("PUB foo 0000000005\r\n", FrameError.WrongSize),
        ("PUB foo 99999999999999999999999999\r\n", FrameError.WrongSize),
        ("HPUB foo x 5\r\n", FrameError.WrongSize),
        ("HPUB foo 5 x\r\n", FrameError.WrongSize),
        ("HPUB foo -1 5\r\n", FrameError.WrongSize),
        ("HPUB foo 6 5\r\nhello\r\n", FrameError.WrongSize),
        ("HPUB foo 1000000000 1000000000\r\n", FrameError.WrongSize),
        ("PUB foo 1048577\r\n", FrameError.PayloadTooLarge),
        ("PUB foo 999999999\r\n", FrameError.PayloadTooLarge),
        ("HPUB foo 12 1048577\r\n", FrameError.PayloadTooLarge),
        ("PUB foo 5\r\nhelloX", FrameError.UnknownOperation),
        ("PUB foo 5\r\nhello\n", FrameError.UnknownOperation),
        ("PUB foo 5\r\nhello\rX", FrameError.UnknownOperation),
        ("PUB foo 0\r\nX", FrameError.UnknownOperation),
        ("PUB foo 5\r\nhello world\r\n", FrameError.UnknownOperation),
        ("PUB foo 5\r\nhi\r\nPING\r\nPING\r\n", FrameError.UnknownOperation),
        ("HPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello!\r\n", FrameError.UnknownOperation),
        ("PING\r\nPUB foo 1\r\nx\r\nwhat\r\n", FrameError.UnknownOperation),
    ];

    public static TheoryData<string> Good => [.. FromClient.Select(static row => row.Input)];

    public static TheoryData<string> GoodFromServer => [.. FromServer.Select(static row => row.Input)];

    public static TheoryData<string> Bad => [.. BadFromClient.Select(static row => row.Input)];

    [Theory]
    [MemberData(nameof(Good))]
    public void Client_frame_is_read(string input)
    {
        var frames = FrameReading.ReadAll(FrameKind.FromClient, FrameReading.Bytes(input));

        Assert.Equal(FromClient.Single(row => row.Input == input).Frames, frames);
    }

    [Theory]
    [MemberData(nameof(GoodFromServer))]
    public void Server_frame_is_read(string input)
    {
        var frames = FrameReading.ReadAll(FrameKind.FromServer, FrameReading.Bytes(input));

        Assert.Equal(FromServer.Single(row => row.Input == input).Frames, frames);
    }

    [Theory]
    [MemberData(nameof(Bad))]
    public void Bad_frame_has_its_error(string input)
    {
        var reading = new FrameReading(FrameKind.FromClient);

        reading.Read(FrameReading.Bytes(input));

        Assert.Equal(BadFromClient.Single(row => row.Input == input).Error, reading.Error);
    }

    [Fact]
    public void Input_cut_at_any_two_bytes_reads_the_same()
    {
        foreach (var input in FromClient.Select(static row => row.Input).Concat(BadFromClient.Select(static row => row.Input)))
            AssertEveryCutReadsTheSame(FrameKind.FromClient, FrameReading.Bytes(input));
        foreach (var input in FromServer.Select(static row => row.Input))
            AssertEveryCutReadsTheSame(FrameKind.FromServer, FrameReading.Bytes(input));
    }

    [Fact]
    public void Line_cut_in_the_middle_does_not_disturb_the_frames_behind_it()
    {
        var first = FrameReading.Bytes("PUB subject.of.some.length 0");
        var second = FrameReading.Bytes("\r\n\r\nPING\r\nPUB a 1\r\nx\r\nPING\r\nPUB another.subject.long.enough 10\r\n0123456789\r\n");
        var reading = new FrameReading(FrameKind.FromClient);

        reading.Read(first);
        reading.Read(second);

        Assert.Equal(FrameReading.ReadAll(FrameKind.FromClient, [.. first, .. second]), reading.Frames);
        Assert.Equal(5, reading.Frames.Count);
    }

    [Theory]
    [InlineData(FrameKind.FromClient)]
    [InlineData(FrameKind.FromServer)]
    public void All_frames_together_cut_into_pieces_of_any_size_read_the_same(FrameKind accepted)
    {
        var rows = accepted == FrameKind.FromClient ? FromClient : FromServer;
        var all = FrameReading.Bytes(string.Concat(rows.Concat(rows).Select(static row => row.Input)));
        var whole = FrameReading.ReadAll(accepted, all);

        for (var size = 1; size <= 200; size++)
        {
            var reading = new FrameReading(accepted);
            foreach (var piece in all.Chunk(size)) reading.Read(piece);
            Assert.Equal(whole, reading.Frames);
        }
        Assert.Equal(rows.Concat(rows).SelectMany(static row => row.Frames), whole);
    }

    [Theory]
    [InlineData("SUB ", 64)]
    [InlineData("PUB ", 64)]
    [InlineData("CONNECT ", 100)]
    [InlineData("PUB    ", 40)]
    public void Line_at_the_limit_passes_and_one_byte_more_does_not(string start, int maxLineBytes)
    {
        foreach (var (end, endBytes) in new[] { ("\r\n", 2), ("\n", 1) })
        {
            var fits = FrameReading.Bytes(start + Arguments(maxLineBytes) + end);
            var exceeds = FrameReading.Bytes(start + Arguments(maxLineBytes + 1) + end);
            for (var cut = 0; cut < exceeds.Length; cut++)
            {
                var (good, bad) = (new FrameReading(FrameKind.FromClient, maxLineBytes), new FrameReading(FrameKind.FromClient, maxLineBytes));
                good.Read(fits.AsSpan(0, Math.Min(cut, fits.Length)));
                good.Read(fits.AsSpan(Math.Min(cut, fits.Length)));
                bad.Read(exceeds.AsSpan(0, cut));
                bad.Read(exceeds.AsSpan(cut));

                Assert.Equal(FrameError.None, good.Error);
                Assert.Equal(FrameError.LineTooLong, bad.Error);
            }
            Assert.Equal(start.Length + maxLineBytes + endBytes, fits.Length);
        }

        static string Arguments(int bytes) => new string('a', bytes - 2) + " 1";
    }

    [Fact]
    public void Endless_line_is_refused_before_its_end()
    {
        foreach (var start in new[] { "SUB ", "PUB ", "HPUB ", "UNSUB ", "CONNECT ", "INFO ", "-ERR " })
        {
            foreach (var filler in new[] { 'a', ' ', '\t' })
            {
                var reading = new FrameReading(FrameKind.FromClient);
                reading.Read(FrameReading.Bytes(start));

                var filled = 0;
                while (filled < 100_000 && reading.Read(FrameReading.Bytes(new string(filler, 1000)))) filled += 1000;

                Assert.Equal(FrameError.LineTooLong, reading.Error);
                Assert.InRange(filled, 0, 8192);
            }
        }
    }

    [Fact]
    public void Endless_line_of_a_server_is_refused_too()
    {
        foreach (var start in new[] { "INFO ", "MSG ", "-ERR " })
        {
            foreach (var filler in new[] { 'a', ' ' })
            {
                var reading = new FrameReading(FrameKind.FromServer);
                var piece = FrameReading.Bytes(new string(filler, 100_000));
                reading.Read(FrameReading.Bytes(start));

                var filled = 0;
                while (filled < 10_000_000 && reading.Read(piece)) filled += piece.Length;

                Assert.Equal(FrameError.LineTooLong, reading.Error);
            }
        }
    }

    [Fact]
    public void Info_of_a_large_cluster_is_longer_than_a_clients_line_may_be()
    {
        var text = "{\"connect_urls\":[" + string.Join(',', Enumerable.Range(0, 1000).Select(static i => $"\"10.0.0.{i}:4222\"")) + "]}";

        var frames = FrameReading.ReadAll(FrameKind.FromServer, FrameReading.Bytes($"INFO {text}\r\n"));

        Assert.Equal([$"Info text={text}"], frames);
    }

    [Fact]
    public void Tail_of_a_ping_is_not_kept()
    {
        var reading = new FrameReading(FrameKind.FromClient);
        reading.Read("PING"u8);

        for (var i = 0; i < 100; i++)
        {
            reading.Read(FrameReading.Bytes(new string('x', 1000)));
            Assert.Equal(0, reading.KeptBytes);
        }
        reading.Read("\nPONG\n"u8);

        Assert.Equal(["Ping", "Pong"], reading.Frames);
    }

    // What is canonical goes to subscribers as it came, line end and all; a line that ends in tab and LF must not.
    [Theory]
    [InlineData(FrameKind.FromClient, "PUB foo 1\t\nx\r\n")]
    [InlineData(FrameKind.FromClient, "PUB foo bar 1\t\nx\r\n")]
    [InlineData(FrameKind.FromClient, "HPUB foo 12 13\t\nNATS/1.0\r\n\r\nx\r\n")]
    [InlineData(FrameKind.FromServer, "MSG foo 7 1\t\nx\r\n")]
    [InlineData(FrameKind.FromServer, "HMSG foo 7 12 13\t\nNATS/1.0\r\n\r\nx\r\n")]
    public void A_tab_before_the_line_feed_is_not_canonical(FrameKind accepted, string text)
    {
        var parser = new FrameParser(accepted);
        // With enough behind it for the short path.
        ReadOnlySpan<byte> input = FrameReading.Bytes(text + new string('P', 64));

        var status = parser.TryRead(ref input, out var frame);

        Assert.Equal(OperationStatus.Done, status);
        Assert.False(frame.IsCanonical);
        Assert.Equal("x"u8, frame.Payload);
    }

    [Theory]
    [InlineData("PUB foo 100\r\n", 100)]
    [InlineData("PUB foo 100\r\nhello", 100)]
    [InlineData("HPUB foo 20 100\r\n", 100)]
    public void Needed_bytes_are_those_of_the_whole_frame(string start, int size)
    {
        var reading = new FrameReading(FrameKind.FromClient);

        reading.Read(FrameReading.Bytes(start));

        Assert.Equal(start.IndexOf('\n', StringComparison.Ordinal) + 1 + size + 2, reading.NeededBytes);
    }

    [Fact]
    public void Needed_bytes_are_unknown_while_the_line_is_incomplete()
    {
        var reading = new FrameReading(FrameKind.FromClient);

        reading.Read("PUB foo 100"u8);

        Assert.Equal(0, reading.NeededBytes);
    }

    [Theory]
    [InlineData(10, "PUB a 10\r\n0123456789\r\n", FrameError.None)]
    [InlineData(10, "PUB a 11\r\n01234567890\r\n", FrameError.PayloadTooLarge)]
    [InlineData(0, "PUB a 0\r\n\r\n", FrameError.None)]
    [InlineData(0, "PUB a 1\r\nx\r\n", FrameError.PayloadTooLarge)]
    [InlineData(-1, "PUB a 2000000\r\n", FrameError.None)]
    [InlineData(-1, "PUB a 999999999\r\n", FrameError.None)]
    [InlineData(10, "HPUB a 5 11\r\n", FrameError.PayloadTooLarge)]
    [InlineData(-2, "PUB a 0\r\n\r\n", FrameError.PayloadTooLarge)]
    [InlineData(int.MinValue, "HPUB a 0 0\r\n\r\n", FrameError.PayloadTooLarge)]
    [InlineData(int.MaxValue, "PUB a 10\r\n0123456789\r\n", FrameError.None)]
    public void Payload_is_held_to_its_limit(int limit, string input, FrameError expected)
    {
        foreach (var padding in new[] { "", string.Concat(Enumerable.Repeat("PING\r\n", 20)) })
        {
            var reading = new FrameReading(FrameKind.FromClient, maxPayloadBytes: limit);
            if (limit == -1 && padding.Length > 0) continue;

            reading.Read(FrameReading.Bytes(input + padding));

            Assert.Equal(expected, reading.Error);
        }
    }

    [Fact]
    public void Payload_that_does_not_end_in_a_line_end_is_refused_at_each_position()
    {
        var good = FrameReading.Bytes("PUB foo 5\r\nhello\r\n");
        for (var position = good.Length - 2; position < good.Length; position++)
        {
            for (var value = 0; value < 256; value++)
            {
                if (value == good[position]) continue;
                var bad = good.ToArray();
                bad[position] = (byte)value;
                var padded = new FrameReading(FrameKind.FromClient);
                var alone = new FrameReading(FrameKind.FromClient);

                padded.Read([.. bad, .. Enumerable.Repeat((byte)'P', 64)]);
                alone.Read(bad);

                Assert.Equal(FrameError.UnknownOperation, padded.Error);
                Assert.Equal(FrameError.UnknownOperation, alone.Error);
            }
        }
    }

    [Fact]
    public void Operations_of_the_other_direction_are_unknown()
    {
        Assert.Equal(["error UnknownOperation"], FrameReading.ReadAll(FrameKind.FromServer, "PUB a 1\r\nx\r\n"u8));
        Assert.Equal(["error UnknownOperation"], FrameReading.ReadAll(FrameKind.FromServer, "SUB a 1\r\n"u8));
        Assert.Equal(["error UnknownOperation"], FrameReading.ReadAll(FrameKind.FromServer, FrameReading.Bytes("PUB a 1\r\nx\r\n" + new string(' ', 64))));
    }

    [Fact]
    public void Members_that_an_operation_does_not_have_are_empty()
    {
        var parser = new FrameParser(FrameKind.FromClient | FrameKind.FromServer);
        foreach (var text in new[] { "PING\r\n", "CONNECT {}\r\n", "SUB a 1\r\n", "UNSUB 1\r\n", "UNSUB 1 7\r\n", "INFO {}\r\n", "+OK\r\n" })
        {
            ReadOnlySpan<byte> input = FrameReading.Bytes(text);

            var status = parser.TryRead(ref input, out var frame);

            Assert.Equal(OperationStatus.Done, status);
            Assert.Equal(text, Encoding.Latin1.GetString(frame.Bytes));
            Assert.Equal(0, frame.TotalBytes);
            Assert.Equal(0, frame.HeaderBytes);
            Assert.True(frame.Headers.IsEmpty);
            Assert.True(frame.Payload.IsEmpty);
            Assert.True(frame.HeadersAndPayload.IsEmpty);
        }
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        var input = FrameReading.Bytes(string.Concat(FromClient.Select(static row => row.Input)));
        var parser = new FrameParser(FrameKind.FromClient);
        var frames = 0;

        var bytes = Allocations.PerCall(() =>
        {
            ReadOnlySpan<byte> rest = input;
            while (parser.TryRead(ref rest, out _) == OperationStatus.Done) frames++;
        });

        Assert.Equal(0, bytes);
        Assert.NotEqual(0, frames);
    }

    private static void AssertEveryCutReadsTheSame(FrameKind accepted, byte[] input)
    {
        var whole = FrameReading.ReadAll(accepted, input);
        for (var first = 0; first <= input.Length; first++)
        {
            for (var second = first; second <= input.Length; second++)
            {
                var reading = new FrameReading(accepted);
                reading.Read(input.AsSpan(0, first));
                reading.Read(input.AsSpan(first, second - first));
                reading.Read(input.AsSpan(second));
                Assert.Equal(whole, reading.Frames);
            }
        }
    }

    private static string Publish(string bytes, string subject, string reply, string payload, string? tail)
        => $"Publish subject={subject} reply={reply} headers= payload={Escape(payload)} all={payload.Length} sizes=0/{payload.Length} bytes={Escape(bytes)}" +
            (tail is null ? "" : $" tail={Escape(tail)}");

    private static string Headed(string bytes, string subject, string reply, string headers, string payload, string? tail)
        => $"PublishWithHeaders subject={subject} reply={reply} headers={Escape(headers)} payload={Escape(payload)} all={headers.Length + payload.Length}" +
            $" sizes={headers.Length}/{headers.Length + payload.Length} bytes={Escape(bytes)}{(tail is null ? "" : $" tail={Escape(tail)}")}";

    private static string Escape(string text) => text.Replace("\r", "\\r").Replace("\n", "\\n").Replace("\t", "\\t");
}
