using Postrider.Resilience;
using Postrider.UnitTests.Flow;
namespace Postrider.UnitTests.Resilience;

[Collection(VirtualTime.Name)]
public sealed class HedgeTests
{
    private readonly TestClock _time = new();

    private static Hedge AfterTenth => new() { Delay = TimeSpan.FromMilliseconds(100), MaxAttempts = 3 };

    [Fact]
    public async Task Call_that_completes_at_once_is_made_once()
    {
        var calls = 0;

        var result = await AfterTenth.ExecuteAsync((state, _) => ValueTask.FromResult(state + ++calls), 10, _time, CancellationToken.None);

        Assert.Equal((11, 1), (result, calls));
    }

    [Fact]
    public async Task First_success_counts_and_the_others_are_cancelled()
    {
        var calls = 0;
        var cancelled = 0;

        var result = await AfterTenth.ExecuteAsync(CallAsync, "a", _time, CancellationToken.None).AsTask().FinishAsync(_time);

        Assert.Equal(("a3", 3, 2), (result, calls, cancelled));

        async ValueTask<string> CallAsync(string state, CancellationToken ct)
        {
            var call = Interlocked.Increment(ref calls);
            try
            {
                await _time.DelayAsync(call == 3 ? 10 : -1, ct);
            }
            catch (OperationCanceledException)
            {
                Interlocked.Increment(ref cancelled);
                throw;
            }
            return state + call;
        }
    }

    [Fact]
    public async Task Exception_of_the_first_attempt_is_thrown_when_all_fail()
    {
        var calls = 0;

        var call = AfterTenth.ExecuteAsync(FailAsync, 0, _time, CancellationToken.None).AsTask();

        var thrown = await Assert.ThrowsAsync<FormatException>(() => call.FinishAsync(_time));
        Assert.Equal(("1", 3), (thrown.Message, calls));

        async ValueTask<int> FailAsync(int state, CancellationToken ct)
        {
            var number = Interlocked.Increment(ref calls);
            await _time.DelayAsync(500, ct);
            throw new FormatException(number.ToString());
        }
    }

    [Fact]
    public async Task Cancellation_ends_every_attempt()
    {
        using var cancel = new CancellationTokenSource();

        var call = AfterTenth.ExecuteAsync(WaitAsync, 0, _time, cancel.Token).AsTask();
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.FinishAsync(_time));

        async ValueTask<int> WaitAsync(int state, CancellationToken ct)
        {
            await _time.DelayAsync(-1, ct);
            return state;
        }
    }
}
