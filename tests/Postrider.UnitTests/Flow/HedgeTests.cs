using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.UnitTests.Time;

namespace Postrider.UnitTests.Flow;

[Collection(VirtualTime.Name)]
public sealed class HedgeTests
{
    private readonly FakeTimeProvider _time = new();

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
}
