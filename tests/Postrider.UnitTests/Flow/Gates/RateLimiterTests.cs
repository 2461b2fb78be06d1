using Postrider.Flow.Gates;
using Postrider.UnitTests.Time;

namespace Postrider.UnitTests.Flow.Gates;

public class RateLimiterTests
{
    private readonly FakeTimeProvider _time = new();

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
}
