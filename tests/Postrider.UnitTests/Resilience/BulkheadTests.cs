using Postrider.Resilience;

namespace Postrider.UnitTests.Resilience;

public class BulkheadTests
{
    [Fact]
    public async Task Heavy_waiter_is_not_overtaken()
    {
        var bulkhead = new Bulkhead(10);
        await bulkhead.AcquireAsync(8);
        var heavy = bulkhead.AcquireAsync(5).AsTask();

        var light = bulkhead.TryAcquire();
        bulkhead.Release(8);
        await heavy;

        Assert.False(light);
        Assert.Equal(5, bulkhead.Used);
    }

    [Fact]
    public async Task One_heavier_than_the_capacity_runs_alone()
    {
        var bulkhead = new Bulkhead(10);

        await bulkhead.AcquireAsync(50);

        Assert.False(bulkhead.TryAcquire());
    }

    [Fact]
    public async Task Waiter_that_leaves_lets_those_behind_it_in()
    {
        var bulkhead = new Bulkhead(10);
        await bulkhead.AcquireAsync(8);
        using var cancel = new CancellationTokenSource();
        var heavy = bulkhead.AcquireAsync(5, cancel.Token).AsTask();
        var light = bulkhead.AcquireAsync(2).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => heavy);
        await light;
        Assert.Equal((10L, 0), (bulkhead.Used, bulkhead.Waiting));
    }

    [Fact]
    public void Releasing_what_was_not_taken_is_an_error()
        => Assert.Throws<InvalidOperationException>(() => new Bulkhead(1).Release());

    [Theory]
    [InlineData(10)]
    [InlineData(long.MaxValue)]
    public void Any_weight_is_compared_with_what_is_left(long weight)
    {
        var bulkhead = new Bulkhead(10);
        Assert.True(bulkhead.TryAcquire(5));

        Assert.False(bulkhead.TryAcquire(weight));
        Assert.Throws<ArgumentOutOfRangeException>(() => bulkhead.Release(-weight));
        Assert.Equal(5, bulkhead.Used);
    }
}
