using System.Text;
using Postrider.Broker;
using Postrider.Broker.JetStream.Snapshots;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What snapshots under way hold is bounded, and a receiver that reads slowly is waited for.</summary>
public sealed class SnapshotLimitTests
{
    private const string Request = """{"deliver_subject":"to.me"}""";

    [Fact]
    public void One_user_has_a_few_snapshots_at_once_and_leaves_room_for_others()
    {
        var limit = new SnapshotLimit();

        for (var i = 0; i < SnapshotLimit.MaxPerUser; i++) Assert.True(limit.TryEnter(new Asker((ulong)i, "greedy")));

        Assert.False(limit.TryEnter(new Asker(100, "greedy")));
        Assert.True(limit.TryEnter(new Asker(101, "modest")));
        Assert.True(limit.TryEnter(new Asker(102, null)));
        limit.Leave(new Asker(7, "greedy"));
        Assert.True(limit.TryEnter(new Asker(103, "greedy")));
    }

    [Fact]
    public void All_users_together_have_so_many_and_no_more()
    {
        var limit = new SnapshotLimit();

        for (var i = 0; i < SnapshotLimit.Max; i++) Assert.True(limit.TryEnter(new Asker((ulong)i, null)));

        Assert.False(limit.TryEnter(new Asker(1000, "modest")));
        for (var i = 0; i < SnapshotLimit.Max; i++) limit.Leave(new Asker((ulong)i, null));
        Assert.Equal(0, limit.Count);
        Assert.True(limit.TryEnter(new Asker(1000, "modest")));
    }

    [Fact]
    public void A_snapshot_too_many_is_refused_and_one_that_ended_makes_room()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        for (var i = 0; i < SnapshotLimit.MaxPerUser; i++) engine.Do("STREAM.SNAPSHOT.S", Request);

        Assert.Equal("500 10064 snapshot failed: too many snapshots at once", engine.Error("STREAM.SNAPSHOT.S", Request));
        AdvanceUntil(engine.Time, () => engine.Engine.Snapshots.Count == 0);

        engine.Do("STREAM.SNAPSHOT.S", Request);
    }

    [Fact]
    public void A_receiver_that_has_much_to_read_is_waited_for()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        engine.Store("a.1", "x");
        var (_, theirs) = MemoryConnection.CreatePair(new SendBatchSet(), new SendBatchSet(), engine.Time);
        theirs.Outbox.MaxPendingBytes = 64 * 1024;
        theirs.Outbox.Send(new byte[10_000]);
        var slow = new Subscription(new Owner(), theirs.Outbox, "to.me"u8, [], "1"u8);
        engine.Account.Subscriptions.Add(slow.SubjectBytes, [], slow);
        using var inbox = engine.Listen("to.me");

        engine.Do("STREAM.SNAPSHOT.S", Request);
        Assert.True(SpinWait.SpinUntil(() => engine.Time.ArmedTimers > 0, TimeSpan.FromMinutes(1)));
        engine.Time.Advance(TimeSpan.FromMilliseconds(20));
        var before = inbox.Messages.Count;
        slow.Leave(engine.Account.Subscriptions);
        AdvanceUntil(engine.Time, () => engine.Engine.Snapshots.Count == 0);

        Assert.Equal(0, before);
        Assert.Equal(2, inbox.Messages.Count);
    }

    private static void AdvanceUntil(TestClock time, Func<bool> done)
        => Assert.True(SpinWait.SpinUntil(
            () =>
            {
                time.Advance(TimeSpan.FromMilliseconds(20));
                return done();
            },
            TimeSpan.FromMinutes(1)));

    private sealed class Owner : ISubscriber
    {
        public ulong Id => 1;

        public bool IsDenied(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup) => false;

        public void AllowReply(ReadOnlySpan<byte> replyTo) => Assert.Fail(Encoding.ASCII.GetString(replyTo));

        public void OnLastDelivered(Subscription subscription, SendBatch batch) => Assert.Fail("It has no limit.");
    }
}
