using Postrider.Flow;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Pumps;

[Collection(VirtualTime.Name)]
public sealed class HedgeTests
{
    private readonly TestClock _time = new();

    [Fact]
    public async Task Hedge_takes_the_first_answer_and_cancels_the_other()
    {
        var calls = 0;
        var cancelled = 0;
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
                    // For ever: the clock may run on while the second call is on its way.
                    await _time.DelayAsync(-1, ct);
                    return 1;
                }
                catch (OperationCanceledException)
                {
                    cancelled++;
                    throw;
                }
            },
            options);

        var results = await task.FinishAsync(_time);
        Assert.Equal([2], results);
        Assert.Equal((2, 1), (calls, cancelled));
    }

    [Fact]
    public async Task Further_attempt_that_throws_at_once_does_not_end_the_first()
    {
        var calls = 0;
        var options = new FlowOptions { MaxThreads = 1, TimeProvider = _time, Hedge = new() { Delay = TimeSpan.FromMilliseconds(100) } };

        var results = await Enumerable.Range(0, 1).ToArray().SelectParallelAsync(CallAsync, options).FinishAsync(_time);

        Assert.Equal([7], results);
        Assert.Equal(2, calls);

        ValueTask<int> CallAsync(int item, CancellationToken ct)
        {
            return Interlocked.Increment(ref calls) > 1 ? throw new FormatException() : SlowAsync(ct);
        }

        async ValueTask<int> SlowAsync(CancellationToken ct)
        {
            await _time.DelayAsync(500, ct);
            return 7;
        }
    }
}
