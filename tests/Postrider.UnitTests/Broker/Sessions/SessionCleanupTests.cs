using Postrider.Broker.Accounts;
using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

/// <summary>Clients that subscribe, leave and come back faster than their subscriptions are taken out.</summary>
public sealed class SessionCleanupTests
{
    private readonly Account _account = new(Account.GlobalName);

    [Fact]
    public void User_whose_closed_sessions_wait_is_behind_and_others_are_not()
    {
        var cleanup = new SessionCleanup();
        var go = new ManualResetEventSlim();
        var removed = 0;
        for (var i = 0; i < 3; i++)
        {
            cleanup.Remove(_account, "hostile", 60_000, () =>
            {
                go.Wait();
                Interlocked.Increment(ref removed);
            });
        }

        var whileTheyWait = (Hostile: cleanup.IsBehind(_account, "hostile"), Victim: cleanup.IsBehind(_account, "victim"), OtherAccount: cleanup.IsBehind(new Account("B"), "hostile"));
        go.Set();

        Assert.Equal((true, false, false), whileTheyWait);
        Assert.True(SpinWait.SpinUntil(() => !cleanup.IsBehind(_account, "hostile") && Volatile.Read(ref removed) == 3, TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void Session_with_many_subscriptions_makes_one_a_turn_while_its_user_is_behind()
    {
        var harness = new SessionHarness();
        var client = harness.Connect();
        var other = harness.Connect();
        client.Send(string.Concat(Enumerable.Range(0, SessionCleanup.RemovedAtOnce).Select(static i => $"SUB a.{i} {i}\r\n")));
        var go = new ManualResetEventSlim();
        harness.Context.Cleanup.Remove(harness.Account, null, 200_000, go.Wait);

        client.Send("SUB b.1 b1\r\nSUB b.2 b2\r\nSUB b.3 b3\r\n");
        var first = client.Session.Subscriptions.Count - SessionCleanup.RemovedAtOnce;
        client.Send("");
        var second = client.Session.Subscriptions.Count - SessionCleanup.RemovedAtOnce;
        other.Send("SUB c.1 c1\r\nSUB c.2 c2\r\nSUB c.3 c3\r\n");
        go.Set();
        Assert.True(SpinWait.SpinUntil(() => !harness.Context.Cleanup.IsBehind(harness.Account, null), TimeSpan.FromMinutes(1)));

        Assert.Equal((1, 2, 3), (first, second, other.Session.Subscriptions.Count));
    }
}
