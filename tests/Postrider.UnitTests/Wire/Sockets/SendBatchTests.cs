using Postrider.Wire.Sockets;

namespace Postrider.UnitTests.Wire.Sockets;

public sealed class SendBatchTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Fence_waits_for_the_reads_that_run_and_for_no_later_ones()
    {
        var set = new SendBatchSet();
        var (own, other) = (set.Rent(), set.Rent());
        own.Begin();
        other.Begin();

        var fence = Task.Run(own.Fence);
        var before = await Task.WhenAny(fence, Task.Delay(50)) == fence;
        other.End(null);
        other.Begin();
        await fence.WaitAsync(Patience);

        Assert.False(before);
        other.End(null);
        own.End(null);
    }

    [Fact]
    public void Fence_does_not_wait_for_idle_batches()
    {
        var set = new SendBatchSet();
        var (own, _) = (set.Rent(), set.Rent());

        own.Begin();
        own.Fence();
        own.End(null);

        Assert.Equal(2, set.Count);
    }

    [Fact]
    public async Task Fences_at_the_same_time_do_not_wait_for_each_other()
    {
        var set = new SendBatchSet();

        await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            var batch = set.Rent();
            for (var i = 0; i < 500; i++)
            {
                batch.Begin();
                batch.Fence();
                batch.End(null);
            }
        }))).WaitAsync(Patience);

        Assert.Equal(3, set.Count);
    }

    [Fact]
    public async Task Returned_batch_is_rented_again()
    {
        var set = new SendBatchSet();
        var batch = set.Rent();
        set.Return(batch);

        Assert.Same(batch, set.Rent());
        Assert.NotSame(batch, await Task.Run(set.Rent));
        Assert.Equal(2, set.Count);
    }
}
