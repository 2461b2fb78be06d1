using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.UnitTests.Time;

namespace Postrider.UnitTests.Flow;

public sealed class HedgeTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task Hedge_takes_the_first_answer_and_cancels_the_other()
    {
        var calls = 0;
        // The other call ends on its own thread, after the answer.
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var options = new FlowOptions
        {
            MaxConcurrency = 4,
            MaxThreads = 1,
            TimeProvider = _time,
            Hedge = new() { Delay = TimeSpan.FromMilliseconds(100) },
        };

        var task = Enumerable.Range(0, 1).ToArray().SelectParallelAsync(
            async (_, ct) =>
            {
                if (Interlocked.Increment(ref calls) > 1)
                    return 2;
                try
                {
                    // Only its cancellation ends it: a virtual delay could run out first.
                    await Task.Delay(Timeout.InfiniteTimeSpan, ct);
                    return 1;
                }
                catch (OperationCanceledException)
                {
                    cancelled.SetResult();
                    throw;
                }
            },
            options);

        var results = await task.FinishAsync(_time);
        await cancelled.Task.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.Equal([2], results);
        Assert.Equal(2, calls);
    }
}
