using Postrider.Flow;
using Postrider.Resilience;
namespace Postrider.UnitTests.Resilience;

public class RateLimiterTests
{
    private readonly TestClock _time = new();

    [Fact]
    public void Burst_is_there_at_once_and_then_the_rate()
    {
        var limiter = new RateLimiter(10, burst: 3, _time);

        var atOnce = Enumerable.Range(0, 5).Count(_ => limiter.TryAcquire());
        _time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.Equal(3, atOnce);
        Assert.True(limiter.TryAcquire());
        Assert.False(limiter.TryAcquire());
    }

    [Fact]
    public void Sixty_a_minute_is_not_one_a_second()
    {
        var limiter = new RateLimiter(60, TimeSpan.FromMinutes(1), time: _time);

        Assert.Equal(60, Enumerable.Range(0, 100).Count(_ => limiter.TryAcquire()));
    }

    [Fact]
    public void Reservations_follow_one_another()
    {
        var limiter = new RateLimiter(10, burst: 1, _time);

        var waits = Enumerable.Range(0, 4).Select(_ => limiter.Reserve().TotalMilliseconds).ToArray();

        Assert.Equal([0, 100, 200, 300], waits);
    }

    [Fact]
    public async Task Waiter_that_gives_up_gives_its_permit_back()
    {
        var limiter = new RateLimiter(10, burst: 1, _time);
        limiter.TryAcquire();
        using var cancel = new CancellationTokenSource();
        var waiting = limiter.AcquireAsync(1, cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await waiting);
        Assert.Equal(100, limiter.Reserve().TotalMilliseconds);
    }

    [Fact]
    public void Held_back_it_gives_nothing_before_the_moment()
    {
        var limiter = new RateLimiter(10, burst: 5, _time);

        limiter.HoldBack(TimeSpan.FromSeconds(2));
        var before = limiter.TryAcquire();
        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.False(before);
        Assert.True(limiter.TryAcquire());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    public void Hold_until_a_moment_that_has_passed_does_nothing(int seconds)
    {
        var limiter = new RateLimiter(10, burst: 10, _time);

        limiter.HoldBack(TimeSpan.FromSeconds(seconds));

        Assert.Equal(10, limiter.Available);
    }

    [Fact]
    public void Hold_that_has_ended_leaves_one_permit_and_the_rate()
    {
        var limiter = new RateLimiter(10, burst: 5, _time);
        limiter.HoldBack(TimeSpan.FromSeconds(2));

        _time.Advance(TimeSpan.FromSeconds(2));
        var atItsEnd = limiter.Available;
        _time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.Equal((1, 2), (atItsEnd, limiter.Available));
    }

    [Fact]
    public void Cost_of_nothing_is_an_error_that_names_the_option()
        => Assert.Contains("0 permits is below 1. In an operator the cost comes from FlowOptions.Cost",
            Assert.Throws<ArgumentOutOfRangeException>(() => new RateLimiter(10, burst: 5, _time).TryAcquire(0)).Message);

    [Fact]
    public void Rate_without_end_is_told_to_be_no_number()
    {
        Assert.Contains("not a finite number above 0", Assert.Throws<ArgumentOutOfRangeException>(() => new RateLimiter(double.PositiveInfinity)).Message);
        Assert.Contains("not a finite number of at least 1", Assert.Throws<ArgumentOutOfRangeException>(() => new RateLimiter(1, burst: double.PositiveInfinity)).Message);
    }

    [Fact]
    public void Rate_can_be_changed()
    {
        var limiter = new RateLimiter(1, burst: 1, _time);
        limiter.TryAcquire();
        _time.Advance(TimeSpan.FromSeconds(1));

        limiter.Change(1_000, TimeSpan.FromSeconds(1), burst: 100);

        Assert.Equal(100, Enumerable.Range(0, 200).Count(_ => limiter.TryAcquire()));
    }

    [Fact]
    public void Cost_above_the_burst_is_an_error_that_says_so()
        => Assert.Contains("burst 5", Assert.Throws<ArgumentOutOfRangeException>(() => new RateLimiter(10, burst: 5, _time).TryAcquire(6)).Message);

    [Fact]
    public async Task Many_threads_get_no_more_than_there_is()
    {
        var limiter = new RateLimiter(1, burst: 10_000, _time);

        var taken = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => Enumerable.Range(0, 5_000).Count(_ => limiter.TryAcquire()))));

        Assert.Equal(10_000, taken.Sum());
    }

    [Fact]
    public async Task Permits_paid_in_advance_go_back_after_the_burst_was_made_smaller()
    {
        var limiter = new RateLimiter(100_000, burst: 1_000);

        var calls = 0;
        await Enumerable.Range(0, 500).ToArray().ForEachParallelAsync(
            async (i, _) =>
            {
                Interlocked.Increment(ref calls);
                if (i != 100)
                    return;
                limiter.Change(100_000, TimeSpan.FromSeconds(1), burst: 2);
                await Task.Yield();
            }, new FlowOptions { MaxConcurrency = 1, RateLimit = limiter });

        Assert.Equal(500, calls);
    }

    [Fact]
    public async Task Wait_longer_than_a_timer_reaches_is_a_wait()
    {
        using var cancel = new CancellationTokenSource();
        var limiter = new RateLimiter(1, TimeSpan.FromDays(100), burst: 1);
        var item = new[] { 1, 2 }.ForEachParallelAsync(static (_, _) => default, new FlowOptions { RateLimit = limiter }, cancel.Token);
        var call = limiter.AcquireAsync(1, cancel.Token).AsTask();
        var repeated = new[] { 1 }.ForEachParallelAsync(
            static (_, _) => throw new FormatException(), new FlowOptions { Retry = new() { DelayHint = static _ => TimeSpan.FromDays(300) } }, cancel.Token);
        Assert.DoesNotContain(true, new[] { item.IsCompleted, call.IsCompleted, repeated.IsCompleted });

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => item);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => repeated);
    }

    [Fact]
    public void Held_back_for_ever_it_gives_nothing()
    {
        var limiter = new RateLimiter(10, burst: 5, _time);

        limiter.HoldBack(TimeSpan.MaxValue);
        _time.Advance(TimeSpan.FromDays(365));

        Assert.False(limiter.TryAcquire());
    }

    [Fact]
    public async Task Item_that_is_never_called_gives_its_permit_back_and_the_breaker_no_verdict()
    {
        using var cancel = new CancellationTokenSource();
        var breaker = new CircuitBreaker(new() { FailureThreshold = 1 });
        var limiter = new RateLimiter(1, TimeSpan.FromDays(1), burst: 10, _time);
        var bulkhead = new Bulkhead(1);
        await bulkhead.AcquireAsync();
        var waiting = Enumerable.Range(0, 3).ToArray().ForEachParallelAsync(
            static (_, _) => default, new FlowOptions { MaxConcurrency = 3, CircuitBreaker = breaker, RateLimit = limiter, Bulkhead = bulkhead }, cancel.Token);
        Assert.Equal(7, limiter.Available, tolerance: 0.001);

        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        var tooDear = new FlowOptions<int> { CircuitBreaker = breaker, RateLimit = limiter, Cost = static _ => 11 };
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => new[] { 1 }.ForEachParallelAsync(static (_, _) => default, tooDear));

        Assert.Equal(10, limiter.Available, tolerance: 0.001);
        Assert.Equal(CircuitBreakerState.Closed, breaker.State);
    }
}
