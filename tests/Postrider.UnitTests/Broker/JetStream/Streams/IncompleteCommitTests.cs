using Postrider.Broker;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A commit whose write was cut at any byte by a crash: the stream is as if it had ended with the last whole message, and
/// loses nothing that was there before.</summary>
public sealed class IncompleteCommitTests
{
    private const string Limits = "\"max_msgs\":6,\"allow_atomic\":true,\"allow_rollup_hdrs\":true,\"allow_msg_schedules\":true,\"allow_msg_ttl\":true";

    [Fact]
    public void Torn_batch_evicts_nothing()
    {
        using var harness = Create();
        var before = harness.Contents("S");

        var left = CutEverywhere(harness, it =>
        {
            for (var i = 1; i <= 3; i++) Publish(it, "a.new", $"n{i}", ("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", $"{i}"), ("Nats-Batch-Commit", i == 3 ? "1" : ""));
        });

        var after = harness.Contents("S");
        Assert.NotEqual(before, after);
        Assert.Contains(before, left, SameLines.Instance);
        Assert.All(left, contents => Assert.True(contents.SequenceEqual(before) || contents.SequenceEqual(after), string.Join(", ", contents)));
    }

    [Fact]
    public void Messages_that_a_torn_commit_replaces_push_no_others_out()
    {
        using var harness = Create();
        var before = harness.Contents("S");
        List<string> replaced = [.. before.Where(static line => !line.Contains("a.2", StringComparison.Ordinal)), "7 a.2 r"];
        List<string> behind = [.. replaced, "8 a.new n"];

        var left = CutEverywhere(harness, it => it.Run(batch =>
        {
            Publish(it, batch, "a.2", "r", ("Nats-Rollup", "sub"));
            Publish(it, batch, "a.new", "n");
        }));

        // The limit holds before the roll-up takes its subject's messages.
        replaced.RemoveAt(0);
        behind.RemoveAt(0);
        Assert.Equal(behind, harness.Contents("S"));
        var kept = before.Where(behind.Contains).ToList();
        Assert.All(left, contents => Assert.True(kept.TrueForAll(contents.Contains), string.Join(", ", contents)));
        Assert.All(left.Where(static contents => contents[^1].StartsWith("8 ", StringComparison.Ordinal)), contents => Assert.DoesNotContain(contents, static line => line.Contains("a.2 m", StringComparison.Ordinal)));
    }

    [Fact]
    public void Schedule_that_fired_in_a_torn_commit_fires_no_second_time()
    {
        using var harness = new StreamHarness(new JetStreamOptions { Durability = JetStreamDurability.SyncEach });
        harness.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.>"],"storage":"file",{{Limits}}}""");
        var at = harness.Time.GetUtcNow().AddSeconds(5).ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture);
        harness.Store("a.schedule", "s", ("Nats-Schedule", $"@at {at}"), ("Nats-Schedule-Target", "a.target"));

        var left = CutEverywhere(harness, static it => it.Time.Advance(TimeSpan.FromSeconds(5)), static it => it.Time.Advance(TimeSpan.FromSeconds(10)));

        Assert.Equal(["2 a.target s"], harness.Contents("S"));
        Assert.All(left, contents => Assert.Equal(["2 a.target s"], contents));
    }

    private static StreamHarness Create()
    {
        var harness = new StreamHarness(new JetStreamOptions { Durability = JetStreamDurability.SyncEach });
        harness.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.>"],"storage":"file",{{Limits}}}""");
        foreach (var subject in new[] { "a.1", "a.1", "a.2", "a.2", "a.3", "a.3" }) harness.Store(subject, "m");
        return harness;
    }

    private static void Publish(StreamHarness harness, string subject, string payload, params (string Name, string Value)[] headers)
        => harness.Run(batch => Publish(harness, batch, subject, payload, [.. headers.Where(static header => header.Value.Length > 0)]));

    private static void Publish(StreamHarness harness, Postrider.Sockets.SendBatch batch, string subject, string payload, params (string Name, string Value)[] headers)
        => InternalPublisher.Publish(
            harness.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(subject), "_INBOX.x"u8, StreamHarness.Headers(headers), StreamHarness.Bytes(payload), batch, BrokerRequester.Instance);

    // What the next process finds for each length to which the write of an action may have been cut.
    private static List<List<string>> CutEverywhere(StreamHarness harness, Action<StreamHarness> action, Action<StreamHarness>? afterwards = null)
    {
        var disk = harness.Disk.Child("$G", "streams", "S", "msgs").Disk;
        var block = disk.Files().Single(static name => name.EndsWith(".blk", StringComparison.Ordinal));
        var before = disk.Contents(block).Length;
        action(harness);
        var whole = disk.Contents(block);
        Assert.True(whole.Length > before);
        var found = new List<List<string>>();
        for (var length = before; length <= whole.Length; length++)
        {
            var tree = harness.Disk.Copy();
            tree.Child("$G", "streams", "S", "msgs").Disk.Replace(block, whole[..length]);
            using var next = new StreamHarness(disk: tree, time: new TestClock(harness.Time.GetUtcNow()));
            afterwards?.Invoke(next);
            found.Add(next.Contents("S"));
        }
        return found;
    }

    private sealed class SameLines : IEqualityComparer<List<string>>
    {
        public static readonly SameLines Instance = new();

        public bool Equals(List<string>? x, List<string>? y) => x is not null && y is not null && x.SequenceEqual(y);

        public int GetHashCode(List<string> obj) => obj.Count;
    }
}
