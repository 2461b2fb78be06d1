using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Gates;

[Collection(VirtualTime.Name)]
public class ControlTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TestClock _time = new();
    private readonly FlowControl _control = new();

    [Fact]
    public async Task Operation_that_begins_after_the_drain_ends_at_once()
    {
        var calls = 0;
        _control.Drain();

        await Numbers(3).ForEachParallelAsync((_, _) => { calls++; return default; }, new FlowOptions { Control = _control });
        await foreach (var _ in Numbers(3).SelectParallelStreamAsync((i, _) => { calls++; return ValueTask.FromResult(i); }, new FlowOptions { Control = _control }))
        {
        }

        Assert.Equal(0, calls);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Attempt_whose_backoff_ends_in_a_pause_waits_for_its_end(bool holdSlot)
    {
        var calls = 0;
        var task = Numbers(1).ForEachParallelAsync(FailOnce, new FlowOptions
        {
            Control = _control,
            TimeProvider = _time,
            Retry = new() { BaseDelay = TimeSpan.FromMilliseconds(100), Backoff = Backoff.Constant, HoldSlot = holdSlot },
        });

        _control.Pause();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, calls);

        _control.Resume();
        await task.WaitAsync(Patience);
        Assert.Equal(2, calls);

        ValueTask FailOnce(int item, CancellationToken ct) => ++calls == 1 ? throw new FormatException() : default;
    }

    [Fact]
    public async Task Call_whose_permit_comes_in_a_pause_waits_for_its_end()
    {
        var calls = 0;
        var limiter = new RateLimiter(1, burst: 1, _time);
        var task = Numbers(2).ForEachParallelAsync((_, _) => { calls++; return default; }, new FlowOptions { Control = _control, RateLimit = limiter, TimeProvider = _time });

        _control.Pause();
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(1, calls);

        _control.Resume();
        await task.WaitAsync(Patience);
        Assert.Equal(2, calls);
    }

    [Fact]
    public async Task Paused_operation_with_claimed_items_leaves_the_pool_alone()
    {
        var gate = new TaskCompletionSource();
        // Quick items make the chunks long, so that those behind the first slow one are claimed and wait.
        var task = Numbers(1000).ForEachParallelAsync(async (i, _) => { if (i > 200) await gate.Task; }, new FlowOptions { Control = _control, MaxConcurrency = 4, MaxThreads = 1 });
        _control.Pause();

        gate.SetResult();

        await Eventually.HoldsAsync(PoolIsAtRestAsync, what: "the pool to come to rest in a pause");
        _control.Resume();
        await task.WaitAsync(Patience);
    }

    // A pump that asks for itself again and again is tens of thousands of work items in this time.
    private static async Task<bool> PoolIsAtRestAsync()
    {
        var before = ThreadPool.CompletedWorkItemCount;
        await Task.Delay(50);
        return ThreadPool.CompletedWorkItemCount - before < 500;
    }

    private static int[] Numbers(int count) => Enumerable.Range(0, count).ToArray();
}
