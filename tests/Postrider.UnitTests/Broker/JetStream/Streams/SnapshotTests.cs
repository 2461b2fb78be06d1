using System.Buffers;
using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.Compression;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Archives of streams: what goes in comes out, and nothing that is damaged becomes a stream.</summary>
public sealed class SnapshotTests
{
    [Theory]
    [InlineData("file", "file")]
    [InlineData("file", "memory")]
    [InlineData("memory", "file")]
    public void Restored_stream_is_the_one_that_was_saved(string from, string to)
    {
        using var source = new ConsumerHarness().WithStream($"\"storage\":\"{from}\",\"first_seq\":10").WithMessages(6);
        source.Engine.Store("a.7", "with headers", ("A", "1"), ("Nats-Msg-Id", "seven"));
        foreach (var gone in (int[])[10, 12, 16]) source.Engine.Do("STREAM.MSG.DELETE.S", $$"""{"seq":{{gone}}}""");
        using var target = new ConsumerHarness();

        var restored = Restore(target.Engine, Save(source.Engine), to);

        Assert.Null(restored["error"]);
        Assert.Equal("io.nats.jetstream.api.v1.stream_create_response", (string)restored["type"]!);
        Assert.Equal(source.Engine.Contents("S"), target.Engine.Contents("S"));
        foreach (var member in (string[])["first_seq", "last_seq", "messages", "num_deleted", "last_ts"])
            Assert.Equal($"{source.Engine.Do("STREAM.INFO.S")["state"]![member]}", $"{target.Engine.Do("STREAM.INFO.S")["state"]![member]}");
        Assert.Equal(17UL, target.Engine.Store("a.8", "next"));
    }

    [Fact]
    public void Consumers_continue_in_the_restored_stream()
    {
        using var source = new ConsumerHarness().WithStream("\"storage\":\"file\"").WithMessages(5);
        source.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
        using (var client = source.Pull("4"))
        {
            var acks = AckTests.Replies(client);
            AckTests.Answer(source, acks[0], "+ACK");
            AckTests.Answer(source, acks[2], "+ACK");
        }
        using var target = new ConsumerHarness(time: source.Engine.Time);

        Assert.Null(Restore(target.Engine, Save(source.Engine), "file")["error"]);

        var info = target.Info();
        using var later = target.Pull("""{"batch":5}""");
        Assert.Equal((1, 2, 1), ((int)info["ack_floor"]!["stream_seq"]!, (int)info["num_ack_pending"]!, (int)info["num_pending"]!));
        Assert.Equal("5", later.TakeText());
        target.Advance(61);
        Assert.Equal("2 4 5", later.TakeText());
    }

    [Fact]
    public void Restored_stream_is_announced_as_a_created_one()
    {
        using var source = new ConsumerHarness().WithStream().WithMessages(5);
        using var target = new ConsumerHarness();
        using var advisories = target.Engine.Listen("$JS.EVENT.ADVISORY.STREAM.>");

        Assert.Null(Restore(target.Engine, Save(source.Engine), "memory")["error"]);

        Assert.Equal(
            ["RESTORE_CREATE.S", "CREATED.S", "RESTORE_COMPLETE.S"],
            advisories.Messages.Select(static message => message.Subject["$JS.EVENT.ADVISORY.STREAM.".Length..]));
        Assert.Equal("create", (string)JsonNode.Parse(advisories.Messages[1].Payload)!["action"]!);
    }

    [Fact]
    public void Restored_stream_survives_a_restart()
    {
        using var source = new ConsumerHarness().WithStream().WithMessages(5);
        source.Durable();
        var disk = new SimulatedTree();
        using (var target = new ConsumerHarness(disk: disk)) Assert.Null(Restore(target.Engine, Save(source.Engine), "file")["error"]);

        using var after = new ConsumerHarness(disk: disk);

        Assert.Equal(source.Engine.Contents("S"), after.Engine.Contents("S"));
        Assert.Equal("C", (string)after.Info()["name"]!);
    }

    [Fact]
    public void Restore_that_was_not_ended_leaves_nothing()
    {
        using var source = new ConsumerHarness().WithStream().WithMessages(500);
        var archive = Save(source.Engine);
        var disk = new SimulatedTree();
        using var target = new ConsumerHarness(disk: disk);

        var subject = (string)target.Engine.Do("STREAM.RESTORE.S", Request("file"))["deliver_subject"]!;
        Assert.Equal("", Send(target.Engine, subject, archive[..^20]));
        using var killed = new ConsumerHarness(disk: disk);

        Assert.Equal("404 10059 stream not found", killed.Engine.Error("STREAM.INFO.S")[..26]);
        Assert.Equal(0, (int)killed.Engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"],"storage":"file"}""")["state"]!["messages"]!);
    }

    [Fact]
    public void Archive_that_is_cut_short_is_no_stream()
    {
        using var source = new ConsumerHarness().WithStream().WithMessages(40);
        var archive = Save(source.Engine);
        for (var length = 0; length < archive.Length; length += 1 + (length / 7))
        {
            using var target = new ConsumerHarness();

            var answer = Restore(target.Engine, archive[..length], "file");

            Assert.StartsWith("restore failed: ", (string)answer["error"]!["description"]!, StringComparison.Ordinal);
            Assert.StartsWith("404 10059", target.Engine.Error("STREAM.INFO.S"), StringComparison.Ordinal);
            Assert.Equal(1UL, (ulong)Restore(target.Engine, archive, "file")["state"]!["first_seq"]!);
        }
    }

    [Fact]
    public void Archive_with_any_flipped_byte_is_refused_or_makes_the_same_stream()
    {
        using var source = new ConsumerHarness().WithStream().WithMessages(20);
        source.Durable();
        var archive = Save(source.Engine);
        using var target = new ConsumerHarness();
        for (var i = 0; i < archive.Length; i++)
        {
            var flipped = (byte[])archive.Clone();
            flipped[i] ^= 0x04;

            if (Restore(target.Engine, flipped, "memory")["error"] is not null) continue;
            Assert.Equal(source.Engine.Contents("S"), target.Engine.Contents("S"));
            target.Engine.Do("STREAM.DELETE.S");
        }
        Assert.Null(Restore(target.Engine, archive, "memory")["error"]);
    }

    [Theory]
    [InlineData("meta.inf\0\0\0\0\0\0", "restore failed: snapshots of nats-server before 2.15 are not supported: take it with 2.15 or later")]
    [InlineData("NATSARC1\0\0\0\0\0", "restore failed: expected state.json first")]
    public void Other_contents_are_named(string plain, string problem)
    {
        using var target = new ConsumerHarness();

        var answer = Restore(target.Engine, S2Tests.Encode(Encoding.ASCII.GetBytes(plain), new Random(1)), "file");

        Assert.Equal((500, 10062, problem), ((int)answer["error"]!["code"]!, (int)answer["error"]!["err_code"]!, (string)answer["error"]!["description"]!));
    }

    [Fact]
    public void Name_is_kept_while_a_restore_is_under_way_and_given_back_when_it_stalls()
    {
        using var target = new ConsumerHarness();
        target.Engine.Do("STREAM.RESTORE.S", Request("file"));

        Assert.Equal("400 10130 stream name already in use, cannot restore", target.Engine.Error("STREAM.RESTORE.S", Request("file")));
        Assert.StartsWith("500 10049", target.Engine.Error("STREAM.CREATE.S", """{"name":"S"}"""), StringComparison.Ordinal);
        target.Advance(31);

        Assert.Equal("S", (string)target.Engine.Do("STREAM.CREATE.S", """{"name":"S"}""")["config"]!["name"]!);
    }

    [Theory]
    [InlineData("STREAM.SNAPSHOT.S", "", "400 10003 bad request")]
    [InlineData("STREAM.SNAPSHOT.S", """{"deliver_subject":"a.*"}""", "400 10015 deliver subject not valid")]
    [InlineData("STREAM.SNAPSHOT.T", """{"deliver_subject":"a"}""", "404 10059 stream not found")]
    [InlineData("STREAM.RESTORE.S", "", "400 10003 bad request")]
    [InlineData("STREAM.RESTORE.T", """{"config":{"name":"U"}}""", "400 10056 stream name in subject does not match request")]
    [InlineData("STREAM.RESTORE.S", """{"config":{"name":"S"}}""", "400 10130 stream name already in use, cannot restore")]
    public void Wrong_requests_are_answered_as_the_reference_does(string operation, string request, string error)
    {
        using var harness = new ConsumerHarness().WithStream();

        Assert.Equal(error, harness.Engine.Error(operation, request));
    }

    [Fact]
    public void Archive_of_few_bytes_and_gigabytes_of_nothing_is_refused_in_bounded_memory()
    {
        using var target = new ConsumerHarness();
        var subject = (string)target.Engine.Do("STREAM.RESTORE.S", Request("memory"))["deliver_subject"]!;

        var answer = JsonNode.Parse(Send(target.Engine, subject, S2Tests.ManyZeros(600)))!;

        Assert.StartsWith("restore failed: ", (string)answer["error"]!["description"]!, StringComparison.Ordinal);
        Assert.Equal(0, target.Engine.Engine.RestoreMemory.HeldBytes);
        Assert.Equal("S", (string)target.Engine.Do("STREAM.CREATE.S", """{"name":"S"}""")["config"]!["name"]!);
    }

    [Fact]
    public void Entry_that_says_more_than_a_message_can_have_is_refused_before_it_is_collected()
    {
        using var target = new ConsumerHarness();
        var subject = (string)target.Engine.Do("STREAM.RESTORE.S", Request("memory"))["deliver_subject"]!;
        // No name, no time, no sequence, no headers, and 80 MiB of payload.
        byte[] entry = [.. "NATSARC1"u8, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x28];

        var answer = JsonNode.Parse(Send(target.Engine, subject, S2Tests.Encode(entry, new Random(1))))!;

        Assert.Equal("restore failed: the snapshot is damaged: invalid entry", (string)answer["error"]!["description"]!);
    }

    [Fact]
    public void Restores_that_hold_too_much_together_are_refused()
    {
        using var target = new ConsumerHarness();
        var problems = new List<string>();
        for (var i = 0; i < 6 && problems.Count == 0; i++)
        {
            var subject = (string)target.Engine.Do($"STREAM.RESTORE.S{i}", Request("memory", $"S{i}"))["deliver_subject"]!;
            // A document of 64 MiB that never ends, of zeros.
            byte[] entry = [.. "NATSARC1"u8, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x20];
            var answer = Send(target.Engine, subject, [.. S2Tests.Encode(entry, new Random(1)), .. S2Tests.ManyZeros(15)]);
            if (answer.Length > 0) problems.Add((string)JsonNode.Parse(answer)!["error"]!["description"]!);
        }

        Assert.Equal(["restore failed: the running restores use too much memory, try again later"], problems);
        Assert.InRange(target.Engine.Engine.RestoreMemory.HeldBytes, 0, RestoreMemory.MaxBytes);
        target.Advance(31);
        Assert.Equal(0, target.Engine.Engine.RestoreMemory.HeldBytes);
    }

    [Fact]
    public void Archive_that_holds_more_than_the_server_may_is_refused_while_it_comes()
    {
        using var source = new ConsumerHarness().WithStream();
        for (var i = 0; i < 8; i++) source.Engine.Store("a.1", new string('x', 600_000));
        var archive = Save(source.Engine);
        using var target = new ConsumerHarness(new Postrider.Broker.JetStreamOptions { MaxMemoryBytes = 2_000_000, MaxStoreBytes = 2_000_000 });
        var plain = Plain(archive);
        var digit = plain.AsSpan().IndexOf("\"bytes\":"u8) + "\"bytes\":".Length;
        for (; char.IsAsciiDigit((char)plain[digit + 1]); digit++) plain[digit] = (byte)' ';

        var answer = Restore(target.Engine, S2Tests.Encode(plain, new Random(1)), "memory");

        Assert.Equal("restore failed: insufficient resources", (string)answer["error"]!["description"]!);
        Assert.Equal(0, target.Engine.Engine.Storage.MemoryBytes);
    }

    [Fact]
    public void Random_and_mutated_archives_are_answered_and_leave_the_engine_in_service()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        using var source = new ConsumerHarness().WithStream().WithMessages(20);
        source.Durable();
        var plain = Plain(Save(source.Engine));
        using var target = new ConsumerHarness();
        for (var round = 0; round < 300; round++)
        {
            // Behind the checksums, where a damaged snapshot would not get, and in front of them.
            var archive = random.Next(2) == 0
                ? S2Tests.Encode(S2Tests.Mutate(random, (byte[])plain.Clone()), random)
                : S2Tests.Mutate(random, S2Tests.Encode(plain, random));
            var answer = Restore(target.Engine, archive, random.Next(2) == 0 ? "memory" : "file");

            Assert.True(answer["error"] is not null || answer["config"] is not null, $"round {round}: {answer}");
            Assert.Equal(0, target.Engine.Engine.RestoreMemory.HeldBytes);
            if (answer["error"] is not null) continue;
            Assert.True(target.Engine.Store("a.1", "after") > 0, $"round {round}");
            target.Engine.Do("STREAM.DELETE.S");
        }

        Assert.Null(Restore(target.Engine, S2Tests.Encode(plain, random), "file")["error"]);
    }

    private static byte[] Plain(byte[] archive)
    {
        var (decoder, plain) = (new Postrider.Broker.Compression.S2Decoder(), new ArrayBufferWriter<byte>());
        decoder.Add(archive);
        while (decoder.TryRead(out var block) == OperationStatus.Done) plain.Write(block);
        return plain.WrittenSpan.ToArray();
    }

    private static byte[] Save(StreamHarness harness)
    {
        Assert.True(harness.Streams.TryGetStream("S", out var stream));
        var archive = StreamSnapshot.Begin(stream, withConsumers: true);
        var bytes = new ArrayBufferWriter<byte>();
        for (var last = false; !last;)
        {
            var chunk = archive.ReadChunk(1000, out var problem);
            Assert.Null(problem);
            bytes.Write(chunk);
            last = chunk.Length < 1000;
        }
        return bytes.WrittenSpan.ToArray();
    }

    private static string Request(string storage, string name = "S")
        => $$$"""{"config":{"name":"{{{name}}}","subjects":["{{{(name == "S" ? "a" : name)}}}.>"],"storage":"{{{storage}}}"}}""";

    private static JsonNode Restore(StreamHarness harness, byte[] archive, string storage)
    {
        var subject = (string)harness.Do("STREAM.RESTORE.S", Request(storage))["deliver_subject"]!;
        for (var rest = archive.AsSpan(); !rest.IsEmpty;)
        {
            var part = Math.Min(rest.Length, 700);
            var answer = Send(harness, subject, rest[..part].ToArray());
            if (answer.Length > 0) return JsonNode.Parse(answer)!;
            rest = rest[part..];
        }
        return JsonNode.Parse(Send(harness, subject, []))!;
    }

    private static string Send(StreamHarness harness, string subject, byte[] chunk)
    {
        var reply = $"_INBOX.chunk.{Guid.NewGuid():N}";
        using var inbox = harness.Listen(reply);
        harness.Run(batch => Postrider.Broker.Routing.InternalPublisher.Publish(
            harness.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), StreamHarness.Bytes(reply), [], chunk, batch, BrokerRequester.Instance));
        return inbox.Messages.Single().Payload;
    }
}
