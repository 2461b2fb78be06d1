using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;
namespace Postrider.UnitTests.Flow.Pumps;

/// <summary>A breaker and a retry together: who is refused waits for the verdict of the probes.</summary>
[Collection(VirtualTime.Name)]
public class CircuitBreakerRetryTests
{
    private readonly TestClock _time = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Short_outage_loses_no_item_with_the_default_retry(int probes)
    {
        var begun = _time.GetTimestamp();

        var outcomes = await Enumerable.Range(0, 40).ToArray().SelectOutcomesAsync(CallAsync, Options(probes, new RetryPolicy { Random = new Random(3) })).FinishAsync(_time);

        Assert.All(outcomes, outcome => Assert.Equal(OutcomeReason.Succeeded, outcome.Reason));

        async ValueTask<int> CallAsync(int item, CancellationToken ct)
        {
            await _time.DelayAsync(20, ct);
            return _time.GetElapsedTime(begun).TotalMilliseconds < 150 ? throw new FormatException() : item;
        }
    }

    [Fact]
    public async Task Outage_that_does_not_end_ends_every_item()
    {
        var calls = 0;

        var outcomes = await Enumerable.Range(0, 40).ToArray().SelectOutcomesAsync<int, int>(
            async (_, ct) =>
            {
                Interlocked.Increment(ref calls);
                await _time.DelayAsync(20, ct);
                throw new FormatException();
            }, Options(probes: 1, new RetryPolicy { Random = new Random(3) })).FinishAsync(_time);

        Assert.All(outcomes, outcome => Assert.False(outcome.HasValue));
        Assert.InRange(calls, 3, 40);
    }

    [Fact]
    public void Refusal_of_an_open_breaker_counts_among_the_attempts()
        => Assert.False(new RetryPolicy().TryPlan(new CircuitBreakerOpenException(CircuitBreakerState.Open, TimeSpan.FromSeconds(1)), 3, default, out _));

    [Theory]
    [InlineData(CircuitBreakerState.HalfOpen, 500)]
    [InlineData(CircuitBreakerState.Open, 16)]
    [InlineData(CircuitBreakerState.Closed, 0)]
    public void Refusal_before_the_verdict_is_never_the_last_and_waits_as_long_as_the_breaker_says(CircuitBreakerState state, int milliseconds)
    {
        var wait = TimeSpan.FromMilliseconds(milliseconds);

        var again = new RetryPolicy().TryPlan(new CircuitBreakerOpenException(state, wait), 30, default, out var delay);

        Assert.Equal((true, wait), (again, delay));
    }

    [Fact]
    public void Refusal_of_an_isolated_breaker_backs_off_like_any_failure()
    {
        var breaker = new CircuitBreaker();
        breaker.Isolate();
        var policy = new RetryPolicy { Backoff = Backoff.Constant };

        var again = policy.TryPlan(breaker.Refusal(), 1, default, out var delay);

        Assert.Equal((true, policy.BaseDelay), (again, delay));
        Assert.False(policy.TryPlan(breaker.Refusal(), 3, default, out _));
    }

    private FlowOptions Options(int probes, RetryPolicy retry) => new()
    {
        MaxConcurrency = 8,
        MaxThreads = 1,
        Errors = ErrorMode.Skip,
        CircuitBreaker = new CircuitBreaker(new() { FailureThreshold = 3, OpenTime = TimeSpan.FromMilliseconds(200), Probes = probes, TimeProvider = _time }),
        Retry = retry,
        TimeProvider = _time,
    };
}
