using Postrider.Resilience;

namespace Postrider.UnitTests.Resilience;

public class RetryPolicyTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(Backoff.Constant, 1, 1, 1, 1)]
    [InlineData(Backoff.Linear, 1, 2, 3, 4)]
    [InlineData(Backoff.Exponential, 1, 2, 4, 8)]
    public void Delay_grows_as_named(Backoff backoff, int first, int second, int third, int fourth)
    {
        var policy = new RetryPolicy { Backoff = backoff, BaseDelay = Second };

        var delays = Enumerable.Range(1, 4).Select(attempt => policy.DelayAfter(attempt, default).TotalSeconds);

        Assert.Equal([first, second, third, fourth], delays);
    }

    [Theory]
    [InlineData(Backoff.LinearJitter, 0, 3)]
    [InlineData(Backoff.ExponentialJitter, 0, 4)]
    [InlineData(Backoff.DecorrelatedJitter, 1, 6)]
    public void Jitter_stays_in_its_bounds_and_fills_them(Backoff backoff, double least, double most)
    {
        var policy = new RetryPolicy { Backoff = backoff, BaseDelay = Second, Random = new Random(7) };

        var delays = Enumerable.Range(0, 1_000).Select(_ => policy.DelayAfter(3, 2 * Second).TotalSeconds).ToArray();

        Assert.All(delays, delay => Assert.InRange(delay, least, most));
        Assert.InRange(delays.Max() - delays.Min(), 0.9 * (most - least), most - least);
    }

    [Fact]
    public void No_delay_is_longer_than_the_longest_even_after_a_thousand_attempts()
        => Assert.Equal(TimeSpan.FromMinutes(5), new RetryPolicy { Backoff = Backoff.Exponential }.DelayAfter(1_000, default));

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    public void Attempts_are_counted_from_one(int attempt)
        => Assert.Throws<ArgumentOutOfRangeException>(() => new RetryPolicy().DelayAfter(attempt, default));

    [Fact]
    public void Budget_takes_no_negative_deposit()
        => Assert.Throws<ArgumentOutOfRangeException>(() => new RetryBudget().Deposit(-1));

    [Fact]
    public void Cancellation_is_not_repeated_by_itself()
        => Assert.False(new RetryPolicy().TryPlan(new OperationCanceledException(), 1, default, out _));

    [Fact]
    public void Failure_that_names_a_delay_gets_it()
    {
        var policy = new RetryPolicy { BaseDelay = TimeSpan.Zero, Backoff = Backoff.Constant, DelayHint = _ => TimeSpan.FromSeconds(7) };

        Assert.True(policy.TryPlan(new FormatException(), 1, default, out var delay));
        Assert.Equal(7, delay.TotalSeconds);
    }

    [Fact]
    public void Budget_grants_its_ratio_of_the_calls()
    {
        var budget = new RetryBudget(0.1, reserve: 10);
        while (budget.TryTake())
        {
        }

        budget.Deposit(50);

        Assert.Equal(5, Enumerable.Range(0, 20).Count(_ => budget.TryTake()));
    }
}
