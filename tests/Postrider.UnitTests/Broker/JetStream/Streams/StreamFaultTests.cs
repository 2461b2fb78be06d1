using System.Globalization;
using Postrider.Broker;
using Postrider.Storage.Files;
using Postrider.UnitTests.Broker.JetStream.Consumers;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Faults of a whole engine's folders: each row harms something between two runs and says what must be left. The faults
/// inside a store's files are in <see cref="FaultTableTests"/>.</summary>
public sealed class StreamFaultTests
{
    private const int Messages = 40;
    private const int Floor = 10;

    /// <summary>What is left of the stream that was harmed.</summary>
    public enum Left
    {
        /// <summary>All of it, and nobody needs to know.</summary>
        Everything,

        /// <summary>All of it, and a line in the log.</summary>
        EverythingReported,

        /// <summary>All messages; the consumer may begin earlier than it stood.</summary>
        ConsumerBehind,

        /// <summary>All messages; the consumer may begin earlier than it stood, and that is named.</summary>
        ConsumerBehindReported,

        /// <summary>All messages; the consumer is out of service, and named.</summary>
        NoConsumer,

        /// <summary>All but what was in the damaged record or block, and that is named.</summary>
        AllButTheDamaged,

        /// <summary>Nothing is served; the files are as they were, the name is kept, log and health say so.</summary>
        FilesOnly,
    }

    public static TheoryData<string, string, Left> Faults()
    {
        var rows = new TheoryData<string, string, Left>();
        foreach (var harm in (string[])["delete", "empty", "garbage", "half", "flip first", "flip middle", "flip last", "of another"])
        {
            rows.Add(harm, "meta.json", harm == "of another" ? Left.FilesOnly : Left.EverythingReported);
            rows.Add(harm, "meta.json.copy", Left.Everything);
            rows.Add(harm, "meta.json*", Left.FilesOnly);
            rows.Add(harm, "obs/C/meta.json", harm == "of another" ? Left.ConsumerBehind : Left.EverythingReported);
            rows.Add(harm, "obs/C/meta.json.copy", Left.Everything);
            rows.Add(harm, "obs/C/meta.json*", harm == "of another" ? Left.ConsumerBehind : Left.NoConsumer);
            rows.Add(harm, "obs/C/state.log", Left.EverythingReported);
            rows.Add(harm, "obs/C/state.log.copy", Left.Everything);
            rows.Add(harm, "obs/C/state.log*", Left.ConsumerBehindReported);
            rows.Add(harm, "msgs/state.snap", harm == "of another" ? Left.EverythingReported : Left.Everything);
        }

        foreach (var harm in (string[])["delete", "empty", "garbage", "half", "of another"]) rows.Add(harm, "msgs/00000001.blk", Left.AllButTheDamaged);
        foreach (var place in (string[])["flip middle", "flip last"]) rows.Add(place, "msgs/00000001.blk", Left.AllButTheDamaged);
        rows.Add("flip first", "msgs/00000001.blk", Left.Everything);
        foreach (var extra in (string[])["notes.txt", "msgs/notes.txt", "msgs/1.blk", "msgs/00000001 (copy).blk", "msgs/00000001.BLK", "msgs/0000000g.blk", "msgs/00000077.idx", "msgs/00000001.blk.tmp", "obs/notes.txt", "obs/C/notes.txt", "meta.json.tmp"])
            rows.Add("add", extra, Left.Everything);
        rows.Add("add", "obs/X/notes.txt", Left.Everything);
        rows.Add("cannot be read", "", Left.FilesOnly);
        rows.Add("cannot be read", "msgs", Left.FilesOnly);
        rows.Add("cannot be read", "obs/C", Left.NoConsumer);
        return rows;
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void Fault_is_reported_and_costs_no_more_than_what_it_hit(string harm, string target, Left left)
    {
        var time = new TestClock();
        var disk = Filled(time);
        var before = Contents(disk);
        Harm(disk, harm, target);
        var log = new LogLines();

        using var after = new ConsumerHarness(disk: disk, time: time, log: log);

        // Whatever befell one stream, the other is served.
        Assert.Equal(Messages, after.Engine.Contents("T").Count);
        Assert.Equal(Messages + 1UL, after.Engine.Store("t.1", "next"));
        if (left == Left.FilesOnly)
        {
            AssertKept(after, log, disk, before);
            return;
        }

        Assert.Equal(left is Left.EverythingReported or Left.ConsumerBehindReported or Left.NoConsumer or Left.AllButTheDamaged, log.Warnings.Contains("S'", StringComparison.Ordinal) || log.Warnings.Contains("> S >", StringComparison.Ordinal) || after.Engine.Contents("S").Count == Messages && left == Left.AllButTheDamaged);
        Assert.Equal(left == Left.NoConsumer, after.Engine.Engine.Progress.Describe() is not null);
        if (left == Left.AllButTheDamaged) Assert.InRange(after.Engine.Contents("S").Count, harm.StartsWith("flip", StringComparison.Ordinal) ? Messages - 1 : 0, Messages);
        else Assert.Equal(Expected(), after.Engine.Contents("S"));
        AssertConsumer(after, left);
        Assert.True(after.Engine.Store("a.1", "next") > 0);
    }

    [Fact]
    public void What_damage_cost_is_in_the_streams_state()
    {
        var time = new TestClock();
        var disk = Filled(time);
        Harm(disk, "flip middle", "msgs/00000001.blk");

        using var after = new ConsumerHarness(disk: disk, time: time);

        var lost = after.Engine.Do("STREAM.INFO.S")["state"]!["lost"]!;
        var missing = Expected().Except(after.Engine.Contents("S")).Select(static line => ulong.Parse(line.Split(' ')[0], CultureInfo.InvariantCulture)).ToArray();
        Assert.Single(missing);
        Assert.Equal(missing, lost["msgs"]!.AsArray().Select(static sequence => (ulong)sequence!));
        Assert.True((long)lost["bytes"]! > 0);
        Assert.Null(after.Engine.Do("STREAM.INFO.T")["state"]!["lost"]);
    }

    [Fact]
    public void Table_and_stores_table_together_have_more_than_sixty_rows()
        => Assert.True(Faults().Count + FaultTableTests.FlippedBytes().Count >= 120, $"{Faults().Count} rows here");

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(30)]
    [InlineData(200)]
    [InlineData(500)]
    public void Full_disk_is_answered_and_writing_goes_on_when_there_is_room(int room)
    {
        var log = new LogLines();
        using var harness = new ConsumerHarness(log: log).WithStream("\"storage\":\"file\"").WithMessages(5);
        var stored = harness.Engine.Contents("S");
        SetRoom(harness.Engine.Disk, room);

        var answers = Enumerable.Range(6, 20).Select(i => harness.Engine.Publish($"a.{i}", $"{i}")).ToList();
        SetRoom(harness.Engine.Disk, long.MaxValue);
        var acknowledged = answers.Where(static answer => answer["error"] is null).Select(static answer => (ulong)answer["seq"]!).ToList();

        Assert.All(answers.Where(static answer => answer["error"] is not null), static answer => Assert.Contains("No space left", (string)answer["error"]!["description"]!, StringComparison.Ordinal));
        Assert.Contains("No space left", log.Warnings, StringComparison.Ordinal);
        Assert.Equal([.. stored, .. acknowledged.Select(static sequence => $"{sequence} a.{sequence} {sequence}")], harness.Engine.Contents("S"));
        Assert.Contains("No space left", harness.Engine.Refused("a.99", "x"), StringComparison.Ordinal);
        harness.Advance(6);
        Assert.Equal(6UL + (ulong)acknowledged.Count, harness.Engine.Store("a.99", "again"));
    }

    [Theory]
    [InlineData("STREAM.PURGE.S", "", 0)]
    [InlineData("STREAM.PURGE.S", "{\"keep\":1}", 1)]
    [InlineData("STREAM.MSG.DELETE.S", "{\"seq\":2}", 4)]
    public void Removing_on_a_full_disk_does_not_wait_for_the_next_try_to_write(string subject, string asked, int left)
    {
        using var harness = new ConsumerHarness().WithStream("\"storage\":\"file\"").WithMessages(5);
        SetRoom(harness.Engine.Disk, 0);
        var refused = harness.Engine.Refused("a.6", "x");
        var full = harness.Engine.Error(subject, asked);
        SetRoom(harness.Engine.Disk, 4096);

        var removed = harness.Engine.Do(subject, asked);

        Assert.Contains("No space left", refused, StringComparison.Ordinal);
        Assert.Contains("No space left", full, StringComparison.Ordinal);
        Assert.Null(removed["error"]);
        Assert.Equal(left, harness.Engine.Contents("S").Count);
        Assert.Equal(6UL, harness.Engine.Store("a.6", "again"));
    }

    [Fact]
    public void Read_only_disk_serves_what_it_has_and_nothing_is_acknowledged()
    {
        var time = new TestClock();
        var disk = Filled(time);
        foreach (var folder in disk.All()) folder.Disk.IsReadOnly = true;
        var log = new LogLines();
        using var harness = new ConsumerHarness(disk: disk, time: time, log: log);

        Assert.Equal(Expected(), harness.Engine.Contents("S"));
        Assert.Contains("is read-only", harness.Engine.Refused("a.1", "x"), StringComparison.Ordinal);
        Assert.Contains("read-only", log.Warnings, StringComparison.Ordinal);
        foreach (var folder in disk.All()) folder.Disk.IsReadOnly = false;
        harness.Advance(6);
        Assert.Equal(Messages + 1UL, harness.Engine.Store("a.1", "again"));
    }

    [Fact]
    public void Failed_flush_ends_writing_for_good()
    {
        using var harness = new ConsumerHarness(new Postrider.Broker.JetStreamOptions { Durability = Postrider.Broker.JetStreamDurability.SyncEach }).WithStream("\"storage\":\"file\"").WithMessages(5);
        var disk = harness.Engine.Disk.Child("$G", "streams", "S", "msgs").Disk;
        disk.FailSync = true;

        Assert.Contains("Input/output error", harness.Engine.Refused("a.6", "6"), StringComparison.Ordinal);
        disk.FailSync = false;
        harness.Advance(60);

        Assert.Contains("Input/output error", harness.Engine.Refused("a.7", "7"), StringComparison.Ordinal);
        Assert.Equal("5 a.5 5", harness.Engine.Contents("S")[4]);
    }

    [Theory]
    [InlineData(Postrider.Broker.JetStreamDurability.PageCache)]
    [InlineData(Postrider.Broker.JetStreamDurability.SyncEach)]
    public void Folder_that_is_removed_while_it_is_in_use_is_told_and_nothing_is_acknowledged(Postrider.Broker.JetStreamDurability durability)
    {
        var log = new LogLines();
        using var harness = new ConsumerHarness(new Postrider.Broker.JetStreamOptions { Durability = durability }, log: log).WithStream("\"storage\":\"file\"").WithMessages(5);
        Stream(harness.Engine.Disk).RemoveAll();
        if (durability == Postrider.Broker.JetStreamDurability.PageCache) harness.Advance(5);

        Assert.Contains("files were removed", harness.Engine.Refused("a.6", "6"), StringComparison.Ordinal);
        harness.Advance(60);

        Assert.Contains("files were removed", harness.Engine.Refused("a.6", "6"), StringComparison.Ordinal);
        Assert.Contains("no longer stores messages", log.Warnings, StringComparison.Ordinal);
        Assert.Contains("'$G > S' no longer stores messages", harness.Engine.Engine.Progress.Describe(), StringComparison.Ordinal);
        Assert.Contains("500 10104", harness.Refused("\"ack_policy\":\"explicit\""), StringComparison.Ordinal);
        Assert.True(Stream(harness.Engine.Disk).Disk.IsRemoved);
        Assert.All(Stream(harness.Engine.Disk).All(), static folder => Assert.Empty(folder.Files()));
        harness.Engine.Do("STREAM.DELETE.S");
        Assert.Null(harness.Engine.Engine.Progress.Describe());
        Assert.Equal("S", (string)harness.Engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"]}""")["config"]!["name"]!);
        Assert.Equal(1UL, harness.Engine.Store("a.1", "again"));
    }

    [Theory]
    [InlineData("msgs/00000001.blk", "delete")]
    [InlineData("msgs/00000001.blk", "empty")]
    [InlineData("msgs/00000001.blk", "half")]
    [InlineData("msgs", "remove")]
    public void Lost_messages_are_named_and_their_sequences_are_not_given_away_again(string target, string harm)
    {
        var time = new TestClock();
        var disk = Filled(time);
        if (harm == "remove") Stream(disk).Child("msgs").RemoveAll();
        else Harm(disk, harm, target);
        var log = new LogLines();

        using var after = new ConsumerHarness(disk: disk, time: time, log: log);

        var known = harm == "remove" ? Floor : Messages;
        Assert.Equal(known, (int)after.Engine.Do("STREAM.INFO.S")["state"]!["last_seq"]!);
        Assert.Contains("> S", log.Warnings, StringComparison.Ordinal);
        Assert.Contains("lost", after.Engine.Engine.Progress.DescribeWarnings(), StringComparison.Ordinal);
        Assert.Null(after.Engine.Engine.Progress.Describe());
        Assert.Equal((ulong)known + 1, after.Engine.Store("a.1", "next"));
        after.Engine.Do("STREAM.DELETE.S");
        Assert.Null(after.Engine.Engine.Progress.DescribeWarnings());
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData("\"retention\":\"workqueue\",", Floor)]
    public void State_that_is_gone_with_its_copy_is_told_with_where_the_consumer_begins(string members, int floor)
    {
        var time = new TestClock();
        var disk = new SimulatedTree();
        using (var before = new ConsumerHarness(disk: disk, time: time).WithStream(members + "\"storage\":\"file\"").WithMessages(Messages))
        {
            before.Durable();
            using var client = before.Pull($$"""{"batch":{{Floor}}}""");
            foreach (var ack in AckTests.Replies(client)) AckTests.Answer(before, ack, "+ACK");
        }

        Harm(disk, "delete", "obs/C/state.log");
        Stream(disk).Child("obs", "C").Disk.Delete("state.log.copy");
        var log = new LogLines();
        using var after = new ConsumerHarness(disk: disk, time: time, log: log);

        Assert.Contains($"'$G > S > C': its state is missing: it restarts at message {floor + 1}", log.Warnings, StringComparison.Ordinal);
        Assert.Contains("> S > C", after.Engine.Engine.Progress.DescribeWarnings(), StringComparison.Ordinal);
        Assert.Equal(floor, (int)after.Info()["ack_floor"]!["stream_seq"]!);
    }

    private static SimulatedTree Filled(TestClock time)
    {
        var disk = new SimulatedTree();
        using var harness = new ConsumerHarness(disk: disk, time: time).WithStream("\"storage\":\"file\"").WithMessages(Messages);
        harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":60000000000");
        using (var client = harness.Pull($$"""{"batch":{{Floor}}}"""))
        {
            foreach (var ack in AckTests.Replies(client)) AckTests.Answer(harness, ack, "+ACK");
        }
        harness.Engine.Do("STREAM.CREATE.T", """{"name":"T","subjects":["t.>"],"storage":"file"}""");
        harness.Engine.Do("CONSUMER.CREATE.T.C", """{"stream_name":"T","config":{"durable_name":"C","ack_policy":"explicit","description":"of T"}}""");
        for (var i = 1; i <= Messages; i++) harness.Engine.Store($"t.{i}", $"{i}");
        return disk;
    }

    private static IEnumerable<string> Expected() => Enumerable.Range(1, Messages).Select(static i => $"{i} a.{i} {i}");

    private static SimulatedTree Stream(SimulatedTree disk, string name = "S") => disk.Child("$G", "streams", name);

    private static void Harm(SimulatedTree disk, string harm, string target)
    {
        var path = target.Split('/');
        if (harm == "cannot be read")
        {
            Stream(disk).Child(target.Length == 0 ? [] : path).Disk.FailRead = true;
            return;
        }

        var folder = Stream(disk).Child(path[..^1]).Disk;
        var other = Stream(disk, "T").Child(path[..^1]).Disk;
        if (harm == "add")
        {
            using var file = folder.Create(path[^1]);
            file.Write(0, "what is this?"u8);
            return;
        }

        string[] names = path[^1].EndsWith('*') ? [path[^1][..^1], path[^1][..^1] + ".copy"] : [path[^1]];
        foreach (var name in names)
        {
            var bytes = folder.Contents(name);
            switch (harm)
            {
                case "delete":
                    folder.Delete(name);
                    continue;
                case "empty":
                    bytes = [];
                    break;
                case "garbage":
                    new Random(3).NextBytes(bytes);
                    break;
                case "half":
                    bytes = bytes[..(bytes.Length / 2)];
                    break;
                case "of another":
                    bytes = other.Contents(name);
                    break;
                default:
                    bytes[harm == "flip first" ? 0 : harm == "flip last" ? ^1 : bytes.Length / 2] ^= 0x20;
                    break;
            }
            folder.Replace(name, bytes);
        }
    }

    private static void AssertKept(ConsumerHarness after, LogLines log, SimulatedTree disk, List<string> before)
    {
        Assert.StartsWith("404 10059", after.Engine.Error("STREAM.INFO.S"), StringComparison.Ordinal);
        Assert.Contains("> S' cannot be opened", log.Warnings, StringComparison.Ordinal);
        Assert.Contains("'$G > S' could not be recovered", after.Engine.Engine.Progress.Describe(), StringComparison.Ordinal);
        Assert.StartsWith("500 10049", after.Engine.Error("STREAM.CREATE.S", """{"name":"S","subjects":["a.>"]}"""), StringComparison.Ordinal);
        var kept = Contents(disk).ToHashSet();
        Assert.All(before.Where(static file => file.Contains("/S/msgs/", StringComparison.Ordinal)), file => Assert.Contains(file, kept));
    }

    private static void AssertConsumer(ConsumerHarness after, Left left)
    {
        if (left == Left.NoConsumer)
        {
            Assert.Equal("404 10014 consumer not found", after.Engine.Error("CONSUMER.INFO.S.C"));
            return;
        }

        var floor = (int)after.Info()["ack_floor"]!["stream_seq"]!;
        if (left is Left.ConsumerBehind or Left.ConsumerBehindReported or Left.AllButTheDamaged) Assert.InRange(floor, 0, Messages);
        else Assert.Equal(Floor, floor);
        if (left is not (Left.ConsumerBehind or Left.ConsumerBehindReported)) return;

        // Whatever it is given again, it is given everything that is left.
        using var client = after.Pull("""{"batch":100}""");
        var given = client.Take();
        Assert.True(given.Count >= Messages - Floor || given.Count == Messages - floor, $"{given.Count} given, the floor is {floor}");
    }

    private static void SetRoom(SimulatedTree disk, long room)
    {
        foreach (var folder in disk.All()) folder.Disk.Room = room;
    }

    private static List<string> Contents(SimulatedTree disk)
        => [.. disk.All().SelectMany(static folder => folder.Disk.Files().Select(name => $"{folder.Path}/{name} {Convert.ToHexString(folder.Disk.Contents(name))}"))];
}
