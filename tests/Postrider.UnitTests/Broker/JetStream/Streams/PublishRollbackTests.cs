using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What is refused leaves no trace: not in the store, not in what the stream knows of ids, schedules and counters, and not
/// in what it publishes.</summary>
public sealed class PublishRollbackTests
{
    private static SimulatedTree Folder(StreamHarness harness) => harness.Disk.Child("$G", "streams", "S", "msgs");

    [Theory]
    [InlineData(JetStreamDurability.PageCache, 1)]
    [InlineData(JetStreamDurability.PageCache, 6)]
    [InlineData(JetStreamDurability.SyncEach, 1)]
    [InlineData(JetStreamDurability.SyncEach, 6)]
    [InlineData(JetStreamDurability.GroupSync, 1)]
    [InlineData(JetStreamDurability.GroupSync, 6)]
    public void Id_of_a_message_that_the_disk_refused_can_be_sent_again(JetStreamDurability durability, int burst)
    {
        using var harness = Create(durability, "");
        using var answers = harness.Listen("_INBOX.>");
        Send(harness, "kept", 1);
        Await(answers, 1);
        Folder(harness).Disk.Room = 0;

        Send(harness, "lost", burst);
        Await(answers, 1 + burst);
        Folder(harness).Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));
        Send(harness, "lost", burst);
        Await(answers, 1 + (2 * burst));
        Send(harness, "kept", 1);
        Await(answers, 2 + (2 * burst));

        var texts = answers.Messages.Select(static message => JsonNode.Parse(message.Payload)!).ToList();
        Assert.All(texts[1..(1 + burst)], static text => Assert.Equal(10077, (int)text["error"]!["err_code"]!));
        Assert.Equal(Enumerable.Range(2, burst), texts[(1 + burst)..^1].Select(static text => (int)text["seq"]!));
        Assert.All(texts[(1 + burst)..^1], static text => Assert.Null(text["duplicate"]));
        Assert.True((bool)texts[^1]["duplicate"]!);
        Assert.Equal(1 + burst, harness.Contents("S").Count);
    }

    [Fact]
    public void Repetition_in_the_same_burst_is_no_acknowledgement_of_a_message_that_was_lost()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        using var answers = harness.Listen("_INBOX.>");
        Folder(harness).Disk.Room = 0;

        harness.Run(batch =>
        {
            Publish(harness, batch, "a", "_INBOX.1", ("Nats-Msg-Id", "x"));
            Publish(harness, batch, "a", "_INBOX.2", ("Nats-Msg-Id", "x"));
        });

        Assert.All(answers.Messages, static message => Assert.Contains("10077", message.Payload, StringComparison.Ordinal));
        Assert.Equal(2, answers.Messages.Count);
    }

    [Fact]
    public void Last_id_is_the_one_of_the_last_message_that_was_committed()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        harness.Store("a", "", ("Nats-Msg-Id", "kept"));
        Fail(harness, ("Nats-Msg-Id", "lost"));

        Assert.Equal("10070 wrong last msg ID: kept", harness.Refused("a", "", ("Nats-Expected-Last-Msg-Id", "lost")));
        Assert.Equal(2UL, harness.Store("a", "", ("Nats-Expected-Last-Msg-Id", "kept")));
    }

    [Fact]
    public void What_a_refused_message_would_have_evicted_stays()
    {
        using var harness = Create(JetStreamDurability.PageCache, ",\"max_msgs\":3,\"allow_rollup_hdrs\":true");
        for (var i = 1; i <= 3; i++) harness.Store("a", $"{i}");
        var before = harness.Contents("S");

        Fail(harness, ("Nats-Rollup", "all"));

        Assert.Equal(before, harness.Contents("S"));
    }

    [Fact]
    public void Message_that_the_disk_refused_is_not_published_again()
    {
        using var harness = Create(JetStreamDurability.PageCache, ",\"republish\":{\"src\":\"a\",\"dest\":\"again\"}");
        using var again = harness.Listen("again");

        Fail(harness);
        harness.Store("a", "kept");

        Assert.Equal("kept", again.Messages.Single().Payload);
    }

    [Fact]
    public void Schedule_that_the_disk_refused_does_not_fire()
    {
        using var harness = Create(JetStreamDurability.PageCache, ",\"allow_msg_schedules\":true,\"allow_msg_ttl\":true,\"allow_rollup_hdrs\":true");
        var at = harness.Time.GetUtcNow().AddSeconds(20).ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture);
        Fail(harness, ("Nats-Schedule", $"@at {at}"), ("Nats-Schedule-Target", "b"));

        harness.Time.Advance(TimeSpan.FromSeconds(60));

        Assert.Empty(harness.Contents("S"));
    }

    [Fact]
    public void Purge_that_took_effect_is_a_success_although_the_old_files_stay()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        harness.Store("a", "old");
        Folder(harness).Disk.OnOperation(static operation =>
        {
            if (operation == "delete") throw new IOException("No space left on device", 28);
        });

        Assert.Equal(1, (int)harness.Do("STREAM.PURGE.S")["purged"]!);
        Folder(harness).Disk.OnOperation(null);
        harness.Time.Advance(TimeSpan.FromSeconds(6));
        harness.Store("a", "new");

        Assert.Equal(["2 a new"], harness.Contents("S"));
        using var next = new StreamHarness(disk: harness.Disk.Copy());
        Assert.Equal(["2 a new"], next.Contents("S"));
    }

    [Fact]
    public void Burst_that_begins_a_block_leaves_nothing_when_the_disk_refuses_its_end()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        harness.Store("a", "kept");
        Folder(harness).Disk.Room = 9 * 1024 * 1024;
        var payload = new string('x', 500_000);

        harness.Run(batch =>
        {
            for (var i = 0; i < 30; i++) Publish(harness, batch, "a", "", payload);
        });
        Assert.Equal(["1 a kept"], harness.Contents("S"));
        Folder(harness).Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));

        Assert.Equal(2UL, harness.Store("a", "next"));
        using var after = new StreamHarness(disk: harness.Disk.Copy());
        Assert.Equal(["1 a kept", "2 a next"], after.Contents("S"));
    }

    [Fact]
    public void Answers_of_a_full_disk_name_no_path()
    {
        var log = new LogLines();
        using var harness = Create(JetStreamDurability.PageCache, "", log);
        Folder(harness).Disk.Room = 0;

        Assert.Equal("10077 No space left on device", harness.Refused("a", "x"));
        Assert.Equal("10077 No space left on device", harness.Refused("a", "x"));
        Assert.Contains("/simulated/$G/streams/S/msgs", log.Warnings, StringComparison.Ordinal);
        Assert.Equal("500 10057 No space left on device", harness.Error("STREAM.MSG.DELETE.S", """{"seq":1}"""));
        Assert.Equal("500 10110 No space left on device", harness.Error("STREAM.PURGE.S"));
    }

    [Fact]
    public void Deletion_that_the_disk_refuses_is_no_success()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        harness.Store("a", "1");
        Folder(harness).Disk.Room = 0;

        Assert.Equal("500 10057 No space left on device", harness.Error("STREAM.MSG.DELETE.S", """{"seq":1,"no_erase":true}"""));
        Assert.Equal(["1 a 1"], harness.Contents("S"));
    }

    [Fact]
    public void Source_copies_again_what_the_disk_refused()
    {
        using var harness = Create(JetStreamDurability.PageCache, "");
        harness.Do("STREAM.CREATE.T", """{"name":"T","storage":"file","sources":[{"name":"S"}]}""");
        harness.Store("a", "1");
        harness.Disk.Child("$G", "streams", "T", "msgs").Disk.Room = 0;

        harness.Store("a", "2");
        harness.Store("a", "3");
        harness.Disk.Child("$G", "streams", "T", "msgs").Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(["1 a 1", "2 a 2", "3 a 3"], harness.Contents("T"));
    }

    [Fact]
    public void Work_queue_keeps_what_its_copy_could_not_write()
    {
        using var harness = Create(JetStreamDurability.PageCache, ",\"retention\":\"workqueue\"");
        harness.Do("STREAM.CREATE.T", """{"name":"T","storage":"file","sources":[{"name":"S"}]}""");
        harness.Disk.Child("$G", "streams", "T", "msgs").Disk.Room = 0;

        harness.Store("a", "1");
        var kept = harness.Contents("S");
        harness.Disk.Child("$G", "streams", "T", "msgs").Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));
        harness.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(["1 a 1"], kept);
        Assert.Equal(["1 a 1"], harness.Contents("T"));
        Assert.Empty(harness.Contents("S"));
    }

    private static StreamHarness Create(JetStreamDurability durability, string more, LogLines? log = null)
    {
        var harness = new StreamHarness(new JetStreamOptions { Durability = durability, MaxStoreBytes = 1L << 30, MaxMemoryBytes = 1L << 30 }, time: new TestClock(), log: log);
        harness.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a","b"],"storage":"file"{{more}}}""");
        return harness;
    }

    private static void Fail(StreamHarness harness, params (string Name, string Value)[] headers)
    {
        Folder(harness).Disk.Room = 0;
        Assert.StartsWith("10077", harness.Refused("a", "lost", headers), StringComparison.Ordinal);
        Folder(harness).Disk.Room = long.MaxValue;
        harness.Time.Advance(TimeSpan.FromSeconds(6));
    }

    private static void Send(StreamHarness harness, string id, int count)
        => harness.Run(batch =>
        {
            for (var i = 0; i < count; i++) Publish(harness, batch, "a", $"_INBOX.{i}", ("Nats-Msg-Id", $"{id}{i}"));
        });

    private static void Publish(StreamHarness harness, SendBatch batch, string subject, string replyTo, params (string Name, string Value)[] headers)
        => InternalPublisher.Publish(
            harness.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), StreamHarness.Bytes(replyTo), StreamHarness.Headers(headers), "p"u8, batch, BrokerRequester.Instance);

    private static void Publish(StreamHarness harness, SendBatch batch, string subject, string replyTo, string payload)
        => InternalPublisher.Publish(
            harness.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), StreamHarness.Bytes(replyTo), [], Encoding.ASCII.GetBytes(payload), batch, BrokerRequester.Instance);

    // Acknowledgements of a group commit come from the thread that flushes.
    private static void Await(StreamHarness.Inbox answers, int count)
        => Assert.True(SpinWait.SpinUntil(() => answers.Messages.Count >= count, TimeSpan.FromSeconds(30)), "an answer is missing");
}
