using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.UnitTests.Time;

namespace Postrider.UnitTests.Broker.Sessions;

/// <summary>A connection's thread serves others too: one that sends much leaves when its time is over, and goes on after them.</summary>
public sealed class SessionTurnTests
{
    private readonly SessionHarness _harness = new(turns: new SteppingTimeProvider(TimeSpan.FromMilliseconds(1)));

    [Fact]
    public async Task Publishes_beyond_a_turn_are_handled_in_the_next_ones_in_their_order()
    {
        var client = _harness.Connect();
        client.Send("SUB a 1\r\n");

        client.Send(string.Concat(Enumerable.Range(0, 1000).Select(static i => $"PUB a 4\r\n{i:d4}\r\n")));
        var first = client.Session.InMessages;
        while (client.Session.InMessages is < 1000 and var before)
        {
            client.Send("");
            Assert.True(client.Session.InMessages > before);
        }

        Assert.Equal(128, first);
        Assert.Equal(string.Concat(Enumerable.Range(0, 1000).Select(static i => $"MSG a 1 4\r\n{i:d4}\r\n")), await client.FlushAsync());
    }

    [Fact]
    public void Subscriptions_beyond_a_turn_are_made_in_the_next_ones()
    {
        var client = _harness.Connect();

        client.Send(string.Concat(Enumerable.Range(0, 100).Select(static i => $"SUB a.{i} {i}\r\n")));
        var first = client.Session.Subscriptions.Count;
        while (client.Session.Subscriptions.Count is < 100 and var before)
        {
            client.Send("");
            Assert.True(client.Session.Subscriptions.Count > before);
        }

        Assert.Equal(16, first);
    }

    [Fact]
    public void Publishes_that_are_hard_to_match_end_the_turn_early()
    {
        var client = _harness.Connect();
        client.Send("");
        for (var i = 0; i < 256; i++)
            Assert.True(_harness.Account.Subscriptions.Add(Pattern(i), [], new Postrider.Broker.Routing.Subscription(new NoHandler(), "x"u8, [])));

        client.Send(string.Concat(Enumerable.Range(0, 100).Select(static i => $"PUB a.a.a.a.a.a.a.a.{i} 0\r\n\r\n")));

        Assert.Equal(2, client.Session.InMessages);
    }

    [Fact]
    public void Very_many_subscriptions_are_taken_out_by_another_thread_than_the_one_that_ended_the_connection()
    {
        var harness = new SessionHarness();
        var client = harness.Connect();
        client.Send(string.Concat(Enumerable.Range(0, 1000).Select(static i => $"SUB a.{i} {i}\r\n")));
        var watcher = new ThreadWatcher(Environment.CurrentManagedThreadId);
        harness.Account.Subscriptions.Observer = watcher;

        // Not awaited: this thread would go back to the pool and could be the one that takes them out.
        client.Session.Closed(CloseReason.ByPeer, null);
        Assert.True(SpinWait.SpinUntil(() => client.Session.Ended.IsCompleted, TimeSpan.FromMinutes(1)));

        Assert.Equal((1000, 0), (watcher.Changes, watcher.OwnChanges));
        Assert.Equal(0, harness.Account.Subscriptions.Count);
        Assert.Equal(0, harness.Context.Sessions.Count);
    }

    [Fact]
    public async Task Texts_of_subscriptions_that_closed_sessions_leave_are_bounded_together()
    {
        var harness = new SessionHarness();
        var token = new string('a', 3_900);
        for (var i = 0; i < 3; i++)
        {
            var client = harness.Connect();
            client.Send(string.Concat(Enumerable.Range(0, 2_000).Select(i => $"SUB {token}.{i} {i}\r\n")));
            client.Session.Closed(CloseReason.ByPeer, null);
            await client.Session.Ended.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        }

        Assert.Equal([2_000, 0, 0], harness.Context.Sessions.Closed().Select(static state => state.Subscriptions!.Count));
    }

    [Fact]
    public async Task Lists_of_subscriptions_that_closed_sessions_leave_are_bounded_together()
    {
        var harness = new SessionHarness();
        for (var i = 0; i < 3; i++)
        {
            var client = harness.Connect();
            client.Send(string.Concat(Enumerable.Range(0, 40_000).Select(static i => $"SUB a.{i} {i}\r\n")));
            client.Session.Closed(CloseReason.ByPeer, null);
            await client.Session.Ended.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        }

        Assert.Equal([40_000, 40_000, 0], harness.Context.Sessions.Closed().Select(static state => state.Subscriptions!.Count));
        Assert.All(harness.Context.Sessions.Closed(), static state => Assert.Equal(40_000, state.SubscriptionCount));
    }

    // Each of the eight tokens of the subjects is a wildcard or not: every one of 2 + 4 + ... + 256 nodes matches.
    private static byte[] Pattern(int bits)
        => System.Text.Encoding.ASCII.GetBytes(string.Join('.', Enumerable.Range(0, 8).Select(bit => (bits >> bit & 1) == 0 ? "a" : "*")) + ".none");

    private sealed class NoHandler : Postrider.Broker.Routing.IInternalSubscriber
    {
        public void Handle(
            Postrider.Broker.Routing.IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => Assert.Fail("Nothing is published to it.");

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
            => Assert.Fail("Nothing is published to it.");
    }

    private sealed class ThreadWatcher(int thread) : ISubjectTreeObserver
    {
        private int _changes;
        private int _ownChanges;

        public int Changes => _changes;

        public int OwnChanges => _ownChanges;

        public void Changed(ReadOnlySpan<byte> subject)
        {
            Interlocked.Increment(ref _changes);
            if (Environment.CurrentManagedThreadId == thread) Interlocked.Increment(ref _ownChanges);
        }
    }
}
