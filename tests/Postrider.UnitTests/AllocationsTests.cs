namespace Postrider.UnitTests;

public sealed class AllocationsTests
{
    private object? _kept;

    [Fact]
    public void Call_that_allocates_nothing_counts_zero()
    {
        var sum = 0;

        var bytes = Allocations.PerCall(() => sum++);

        Assert.Equal(0, bytes);
    }

    [Fact]
    public void Call_that_allocates_counts_every_byte()
    {
        // An array's header and length take 24 bytes on 64 bits.
        var bytes = Allocations.PerCall(() => _kept = new byte[1000]);

        Assert.Equal(1024, bytes);
        Assert.NotNull(_kept);
    }

    [Fact]
    public void Allocation_in_one_call_of_a_hundred_is_not_rounded_away()
    {
        var calls = 0;

        var bytes = Allocations.PerCall(() =>
        {
            if (calls++ % 100 == 0)
                _kept = new object();
        });

        Assert.Equal(1, bytes);
    }

    [Fact]
    public void What_only_the_first_calls_allocate_is_warm_up()
    {
        var calls = 0;

        var bytes = Allocations.PerCall(() =>
        {
            if (calls++ < 10)
                _kept = new object();
        }, warmUp: 10);

        Assert.Equal(0, bytes);
    }

    [Fact]
    public void Asynchronous_call_that_completes_at_once_counts_zero()
        => Assert.Equal(0, Allocations.PerCall(() => ValueTask.CompletedTask));

    [Fact]
    public void Asynchronous_call_that_goes_elsewhere_is_refused()
    {
        var never = new TaskCompletionSource();

        Assert.Throws<InvalidOperationException>(() => Allocations.PerCall(() => new ValueTask(never.Task)));
    }
}
