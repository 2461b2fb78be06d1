using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A batch that is refused changes nothing, and ids are bytes.</summary>
public sealed class AtomicBatchTests
{
    private const string TooLong = "111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111";

    [Theory]
    [InlineData("file", "")]
    [InlineData("memory", "")]
    [InlineData("file", ",\"max_msgs\":5")]
    [InlineData("memory", ",\"max_msgs\":5")]
    [InlineData("file", ",\"max_bytes\":600")]
    [InlineData("memory", ",\"max_bytes\":500")]
    [InlineData("file", ",\"max_msgs_per_subject\":2")]
    [InlineData("memory", ",\"max_msgs_per_subject\":2")]
    public void Refused_batch_of_counters_changes_nothing(string storage, string limits)
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", $$"""{"name":"C","subjects":["c.*"],"storage":"{{storage}}","allow_msg_counter":true,"allow_atomic":true,"max_msg_size":220{{limits}}}""");
        for (var i = 0; i < 6; i++) harness.Publish($"c.{i % 3}", "", ("Nats-Incr", "5"));
        var (contents, files) = (harness.Contents("C"), Files(harness));

        var error = Batch(harness, [("c.a", "", [("Nats-Incr", "1"), ("Nats-Msg-Id", "X1")]), ("c.a", "", [("Nats-Incr", "1")]), ("c.b", "", [("Nats-Incr", "2")]), ("c.c", "", [("Nats-Incr", TooLong)])]);
        var (contentsAfter, filesAfter) = (harness.Contents("C"), Files(harness));
        var alone = harness.Publish("c.0", "", ("Nats-Incr", "1"), ("Nats-Msg-Id", "X1"));

        Assert.Equal(10054, (int)error["error"]!["err_code"]!);
        Assert.Equal(contents, contentsAfter);
        Assert.Equal(files, filesAfter);
        Assert.Null(alone["duplicate"]);
        Assert.Equal(7UL, (ulong)alone["seq"]!);
    }

    [Theory]
    [InlineData("sub")]
    [InlineData("all")]
    public void Refused_batch_with_a_roll_up_changes_nothing(string rollup)
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"storage":"file","allow_rollup_hdrs":true,"allow_atomic":true,"republish":{"src":">","dest":"again.>"}}""");
        for (var i = 0; i < 4; i++) harness.Store("c.a", $"{i}");
        var (contents, files) = (harness.Contents("C"), Files(harness));
        using var again = harness.Listen("again.>");
        harness.Disk.Child("$G", "streams", "C", "msgs").Disk.Room = 0;

        var error = Batch(harness, [("c.a", "1", [("Nats-Rollup", rollup)]), ("c.a", "2", [])]);

        Assert.Equal(10077, (int)error["error"]!["err_code"]!);
        Assert.Equal(contents, harness.Contents("C"));
        Assert.Equal(files, Files(harness));
        Assert.Empty(again.Messages);
    }

    [Fact]
    public void Ids_of_a_batch_that_the_disk_refused_can_be_sent_again()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"storage":"file","allow_atomic":true}""");
        (string, string, (string, string)[])[] messages = [.. Enumerable.Range(1, 6).Select(static i => ("c.a", $"{i}", new[] { ("Nats-Msg-Id", $"x{i}") }))];
        harness.Disk.Child("$G", "streams", "C", "msgs").Disk.Room = 0;

        var error = Batch(harness, messages);
        harness.Disk.Child("$G", "streams", "C", "msgs").Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));
        var answers = messages.Select(message => harness.Publish(message.Item1, message.Item2, message.Item3)).ToList();

        Assert.Equal(10077, (int)error["error"]!["err_code"]!);
        Assert.All(answers, static answer => Assert.Null(answer["duplicate"]));
        Assert.Equal(["1 c.a 1", "2 c.a 2", "3 c.a 3", "4 c.a 4", "5 c.a 5", "6 c.a 6"], harness.Contents("C"));
    }

    [Theory]
    [InlineData("file")]
    [InlineData("memory")]
    public void Limits_hold_after_a_batch(string storage)
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", $$"""{"name":"C","subjects":["c.*"],"storage":"{{storage}}","allow_rollup_hdrs":true,"allow_atomic":true,"max_msgs":5,"max_msgs_per_subject":2}""");
        for (var i = 1; i <= 5; i++) harness.Store($"c.{i}", "old");

        var answer = Batch(harness, [("c.a", "6", []), ("c.a", "7", []), ("c.a", "8", []), ("c.4", "9", [("Nats-Rollup", "sub")])]);

        Assert.Equal(9UL, (ulong)answer["seq"]!);
        Assert.Equal(["3 c.3 old", "5 c.5 old", "7 c.a 7", "8 c.a 8", "9 c.4 9"], harness.Contents("C"));
    }

    [Fact]
    public void Counters_of_one_batch_add_up()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"allow_msg_counter":true,"allow_atomic":true}""");
        harness.Publish("c.a", "", ("Nats-Incr", "5"));

        Batch(harness, [("c.a", "", [("Nats-Incr", "1")]), ("c.b", "", [("Nats-Incr", "3")]), ("c.a", "", [("Nats-Incr", "2")])]);

        Assert.Equal(["1 c.a {\"val\":\"5\"}", "2 c.a {\"val\":\"6\"}", "3 c.b {\"val\":\"3\"}", "4 c.a {\"val\":\"8\"}"], harness.Contents("C"));
    }

    [Fact]
    public void Memory_of_open_batches_is_bounded_and_given_back()
    {
        using var harness = new StreamHarness(new JetStreamOptions { MaxBatchBytes = 100_000, MaxMemoryBytes = 1 << 30, MaxStoreBytes = 1 << 30 });
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"allow_atomic":true,"storage":"memory"}""");
        harness.Do("STREAM.CREATE.D", """{"name":"D","subjects":["d.*"],"allow_atomic":true,"storage":"memory"}""");
        using var abandoned = harness.Listen("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.>");
        Take(harness, "c.1", "one", 1, 40_000);
        Take(harness, "d.1", "two", 1, 40_000);

        var refused = Take(harness, "c.1", "three", 1, 40_000);
        var held = harness.Engine.OpenBatches.Bytes;
        harness.Time.Advance(TimeSpan.FromSeconds(11));

        Assert.Contains("10210", refused, StringComparison.Ordinal);
        Assert.Contains("\"reason\":\"large\"", abandoned.Messages[0].Payload, StringComparison.Ordinal);
        Assert.InRange(held, 80_000, 100_000);
        Assert.Equal((0, 0L), (harness.Engine.OpenBatches.Count, harness.Engine.OpenBatches.Bytes));
        Assert.Equal("", Take(harness, "c.1", "three", 1, 90_000));
    }

    [Fact]
    public void Open_batches_of_a_deleted_stream_count_no_more()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"allow_atomic":true}""");
        Take(harness, "c.1", "one", 1, 1000);

        harness.Do("STREAM.DELETE.C");

        Assert.Equal((0, 0L), (harness.Engine.OpenBatches.Count, harness.Engine.OpenBatches.Bytes));
    }

    [Fact]
    public void Open_batches_end_when_the_stream_no_longer_allows_them()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.C", """{"name":"C","subjects":["c.*"],"allow_atomic":true}""");
        using var abandoned = harness.Listen("$JS.EVENT.ADVISORY.STREAM.BATCH_ABANDONED.>");
        Take(harness, "c.1", "one", 1, 1000);

        harness.Do("STREAM.UPDATE.C", """{"name":"C","subjects":["c.*"]}""");
        var open = (harness.Engine.OpenBatches.Count, harness.Engine.OpenBatches.Bytes);
        harness.Do("STREAM.UPDATE.C", """{"name":"C","subjects":["c.*"],"allow_atomic":true}""");
        var late = harness.Refused("c.1", "", ("Nats-Batch-Id", "one"), ("Nats-Batch-Sequence", "2"), ("Nats-Batch-Commit", "1"));
        harness.Time.Advance(TimeSpan.FromSeconds(11));

        Assert.Equal((0, 0L), open);
        Assert.Equal("10176 atomic publish batch is incomplete", late);
        Assert.Empty(abandoned.Messages);
    }

    [Fact]
    public void Ids_are_bytes_also_after_a_restart()
    {
        var disk = new SimulatedTree();
        byte[][] ids = [[0xff, 1], [0xfe, 1], [0x80, 1]];
        using (var harness = new StreamHarness(disk: disk))
        {
            harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"storage":"file"}""");

            Assert.Equal(["1", "2", "3"], ids.Select(id => Publish(harness, "a", Header("Nats-Msg-Id", id))));
        }

        using var after = new StreamHarness(disk: disk);
        Assert.Equal(["1 again", "2 again", "3 again", "4"], [.. ids.Select(id => Publish(after, "a", Header("Nats-Msg-Id", id))), Publish(after, "a", Header("Nats-Msg-Id", [0x81, 1]))]);
    }

    [Fact]
    public void Republished_headers_are_the_bytes_that_were_published()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"republish":{"src":"a","dest":"again"}}""");
        using var again = new Bytes(harness, "again");

        Publish(harness, "a", Header("Bin", [0xff, 0xfe, 0x80]));

        Assert.Contains("Bin: \u00ff\u00fe\u0080\r\n", Encoding.Latin1.GetString(again.Headers), StringComparison.Ordinal);
    }

    [Fact]
    public void Roll_up_of_a_subject_that_is_not_UTF8_removes_its_messages()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"allow_rollup_hdrs":true}""");
        byte[] subject = [.. "a."u8, 0xff];
        Publish(harness, subject, []);

        Publish(harness, subject, Header("Nats-Rollup", "sub"u8));

        Assert.Single(harness.Contents("S"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("true")]
    public void Commit_with_another_value_is_refused_and_ends_the_batch(string commit)
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"allow_atomic":true}""");
        Take(harness, "a", "one", 1, 10);

        var refused = harness.Refused("a", "", ("Nats-Batch-Id", "one"), ("Nats-Batch-Sequence", "2"), ("Nats-Batch-Commit", commit));
        var late = harness.Refused("a", "", ("Nats-Batch-Id", "one"), ("Nats-Batch-Sequence", "2"), ("Nats-Batch-Commit", "1"));

        Assert.Equal("10200 atomic publish batch commit is invalid", refused);
        Assert.Equal("10176 atomic publish batch is incomplete", late);
        Assert.Empty(harness.Contents("S"));
    }

    [Fact]
    public void Ids_of_batches_are_bytes()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"],"allow_atomic":true}""");
        byte[][] ids = [[0xff, 1], [0xfe, 1], [0x80, 1]];
        foreach (var id in ids)
            Assert.Equal("", Raw(harness, Encoding.ASCII.GetBytes("a"), BatchHeaders(id, "1", "")));

        var answers = ids.Select(id => Publish(harness, "a", BatchHeaders(id, "2", "Nats-Batch-Commit: 1\r\n"))).ToList();

        Assert.Equal(["2", "4", "6"], answers);
        Assert.Equal(6, harness.Contents("S").Count);
    }

    [Fact]
    public void Subject_of_a_schedule_that_is_not_UTF8_fires()
    {
        using var harness = new StreamHarness();
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*","due.*"],"allow_msg_schedules":true}""");
        using var due = harness.Listen("due.>");
        var at = $"@at {harness.Time.GetUtcNow().AddMinutes(1).ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)}";
        foreach (var last in (byte[])[0xff, 0xfe])
            Publish(harness, [.. "a."u8, last], Encoding.ASCII.GetBytes($"NATS/1.0\r\nNats-Schedule: {at}\r\nNats-Schedule-Target: due.x\r\n\r\n"));

        harness.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Equal(2, harness.Contents("S").Count(static message => message.Contains("due.x", StringComparison.Ordinal)));
    }

    [Fact]
    public void Acknowledgement_is_JSON_whatever_the_domain()
    {
        using var harness = new StreamHarness(new JetStreamOptions { MaxMemoryBytes = 1L << 30, MaxStoreBytes = 1L << 30, Domain = "d\"x" });
        harness.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");

        var ack = harness.Publish("a", "");

        Assert.Equal(("S", "d\"x", 1), ((string?)ack["stream"], (string?)ack["domain"], (int)ack["seq"]!));
    }

    [Theory]
    [InlineData("a\"b")]
    [InlineData("x\",\"seq\":99,\"y\":\"")]
    public void Acknowledgement_is_JSON_whatever_the_name(string name)
    {
        using var harness = new StreamHarness();
        harness.Do($"STREAM.CREATE.{name}", new JsonObject { ["name"] = name, ["subjects"] = new JsonArray("a"), ["allow_atomic"] = true }.ToJsonString());

        var plain = harness.Publish("a", "");
        var batch = harness.Publish("a", "", ("Nats-Batch-Id", "i\"d"), ("Nats-Batch-Sequence", "1"), ("Nats-Batch-Commit", "1"));

        Assert.Equal((name, 1), ((string?)plain["stream"], (int)plain["seq"]!));
        Assert.Equal((name, 2, "i\"d"), ((string?)batch["stream"], (int)batch["seq"]!, (string?)batch["batch"]));
    }

    private static JsonNode Batch(StreamHarness harness, (string Subject, string Payload, (string, string)[] Headers)[] messages)
    {
        for (var i = 0; i < messages.Length; i++)
        {
            var (subject, payload, headers) = messages[i];
            (string, string)[] all = [("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", $"{i + 1}"), .. headers];
            if (i == messages.Length - 1) return harness.Publish(subject, payload, [.. all, ("Nats-Batch-Commit", "1")]);
            Assert.Equal("", harness.Request(subject, payload, all).Single().Payload);
        }
        throw new ArgumentException("The batch is empty.", nameof(messages));
    }

    private static string Take(StreamHarness harness, string subject, string id, int sequence, int bytes)
        => harness.Request(subject, new string('x', bytes), ("Nats-Batch-Id", id), ("Nats-Batch-Sequence", $"{sequence}")).Single().Payload;

    private static byte[] Header(string name, ReadOnlySpan<byte> value) => [.. "NATS/1.0\r\n"u8, .. Encoding.ASCII.GetBytes(name), .. ": "u8, .. value, .. "\r\n\r\n"u8];

    private static string Publish(StreamHarness harness, string subject, byte[] headers) => Publish(harness, Encoding.ASCII.GetBytes(subject), headers);

    private static byte[] BatchHeaders(byte[] id, string sequence, string more)
        => [.. "NATS/1.0\r\nNats-Batch-Id: "u8, .. id, .. Encoding.ASCII.GetBytes($"\r\nNats-Batch-Sequence: {sequence}\r\n{more}\r\n")];

    private static string Raw(StreamHarness harness, byte[] subject, byte[] headers)
    {
        using var inbox = harness.Listen("_INBOX.bytes");
        harness.Run(batch => InternalPublisher.Publish(harness.Account.Subscriptions, subject, subject, "_INBOX.bytes"u8, headers, "p"u8, batch, BrokerRequester.Instance));
        return inbox.Messages.Single().Payload;
    }

    private static string Publish(StreamHarness harness, byte[] subject, byte[] headers)
    {
        var answer = JsonNode.Parse(Raw(harness, subject, headers))!;
        return answer["duplicate"] is null ? $"{answer["seq"]}" : $"{answer["seq"]} again";
    }

    private static List<string> Files(StreamHarness harness)
        => [.. harness.Disk.All().SelectMany(static folder => folder.Disk.Files().Select(name => $"{folder.Path}/{name} {Convert.ToHexString(folder.Disk.Contents(name))}"))];

    private sealed class Bytes : IInternalSubscriber, IDisposable
    {
        private readonly StreamHarness _harness;
        private readonly Subscription _subscription;

        public Bytes(StreamHarness harness, string subject)
        {
            _harness = harness;
            _subscription = new Subscription(this, Encoding.ASCII.GetBytes(subject), []);
            Assert.True(harness.Account.Subscriptions.Add(_subscription.SubjectBytes, [], _subscription));
        }

        public byte[] Headers { get; private set; } = [];

        public void Handle(
            IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            Postrider.Sockets.SendBatch batch)
            => Headers = headers.ToArray();

        public void Dispose() => _harness.Account.Subscriptions.Remove(_subscription.SubjectBytes, [], _subscription);
    }
}
