using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.Routing;

public sealed class FairLockTests
{
    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task One_thread_at_a_time_has_the_lock()
    {
        var gate = new FairLock();
        var (sum, threads) = (0, new List<Task>());

        for (var i = 0; i < 4; i++)
            threads.Add(Task.Factory.StartNew(Count, TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        await Task.WhenAll(threads).WaitAsync(LongestWait, TestContext.Current.CancellationToken);

        Assert.Equal(400_000, sum);
        Assert.Equal(0, gate.Waiters);

        void Count()
        {
            for (var i = 0; i < 100_000; i++)
            {
                using (gate.Hold()) sum++;
            }
        }
    }

    [Fact]
    public async Task Thread_that_takes_the_lock_again_and_again_lets_a_waiter_pass()
    {
        const int Turns = 200;
        var gate = new FairLock(TimeSpan.Zero, LongestWait);
        var (longest, passed, isOver) = (0, 0, false);
        var hog = Task.Factory.StartNew(TakeAgainAndAgain, TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        var waiter = Task.Factory.StartNew(TakeTurns, TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await waiter.WaitAsync(LongestWait, TestContext.Current.CancellationToken);
        Volatile.Write(ref isOver, true);
        await hog.WaitAsync(LongestWait, TestContext.Current.CancellationToken);

        // One more turn may have begun before the waiter was counted.
        Assert.InRange(longest, 0, 2);

        void TakeAgainAndAgain()
        {
            for (var (taken, before) = (0, 0); !Volatile.Read(ref isOver);)
            {
                using (gate.Hold())
                {
                    (taken, before) = (gate.Waiters > 0 && passed == before ? taken + 1 : 0, passed);
                    longest = Math.Max(longest, taken);
                    Thread.SpinWait(1_000);
                }
            }
        }

        void TakeTurns()
        {
            for (var i = 0; i < Turns; i++)
            {
                using (gate.Hold()) passed++;
            }
        }
    }

    [Fact]
    public async Task Holder_may_take_the_lock_again_while_others_wait()
    {
        var gate = new FairLock(TimeSpan.Zero, LongestWait);
        Task waiter;

        using (gate.Hold())
        {
            waiter = Task.Run(() => gate.Hold().Dispose(), TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => gate.Waiters == 1, LongestWait));
            using (gate.Hold()) Assert.True(gate.IsHeldByCurrentThread);
            Assert.True(gate.IsHeldByCurrentThread);
            Assert.False(waiter.IsCompleted);
        }

        await waiter.WaitAsync(LongestWait, TestContext.Current.CancellationToken);
        Assert.False(gate.IsHeldByCurrentThread);
    }

    [Fact]
    public async Task Waiter_without_a_processor_does_not_hold_others_up_for_ever()
    {
        var gate = new FairLock(TimeSpan.Zero, TimeSpan.FromMilliseconds(1));
        Task first;

        using (gate.Hold())
        {
            first = Task.Run(() => gate.Hold().Dispose(), TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => gate.Waiters == 1, LongestWait));
            // The second one lets the first one pass, which cannot have the lock yet, and then waits itself.
            var second = Task.Run(() => gate.Hold().Dispose(), TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => gate.Waiters == 2, LongestWait));
            Assert.False(second.IsCompleted);
            first = Task.WhenAll(first, second);
        }

        await first.WaitAsync(LongestWait, TestContext.Current.CancellationToken);
        Assert.Equal(0, gate.Waiters);
    }
}
