using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class MessageQueueTests
{
    [Fact]
    public void Messages_come_out_in_order_however_many_there_are()
    {
        var queue = new MessageQueue<int>(10_000, SlowConsumerPolicy.DropNewest, wakesInline: false);
        var read = new List<int>();

        for (var i = 0; i < 1000; i++)
        {
            for (var j = 0; j < i % 40; j++) queue.TryWrite((i * 100) + j, out _);
            for (var j = 0; j < (i * 7) % 41; j++)
                if (queue.TryRead(out var item)) read.Add(item);
        }
        while (queue.TryRead(out var item)) read.Add(item);

        Assert.Equal(read.Order(), read);
        Assert.Equal(Enumerable.Range(0, 1000).Sum(i => i % 40), read.Count);
    }

    [Fact]
    public async Task Waiting_reader_is_woken_by_the_signal()
    {
        var queue = new MessageQueue<string>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        var waiting = queue.WaitAsync(CancellationToken.None);

        queue.TryWrite("x", out var mustSignal);
        queue.Signal();

        Assert.True(mustSignal);
        Assert.True(await waiting);
        Assert.True(queue.TryRead(out var item));
        Assert.Equal("x", item);
    }

    [Fact]
    public async Task Cancelled_wait_throws_and_the_next_one_works()
    {
        var queue = new MessageQueue<string>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        using var cancellation = new CancellationTokenSource();
        var waiting = queue.WaitAsync(cancellation.Token).AsTask();

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        queue.TryWrite("x", out _);
        Assert.True(await queue.WaitAsync(CancellationToken.None));
    }

    [Fact]
    public async Task End_comes_after_what_waited_and_an_error_is_thrown()
    {
        var queue = new MessageQueue<int>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        queue.TryWrite(1, out _);

        queue.Complete(new InvalidOperationException("over"));

        Assert.True(await queue.WaitAsync(CancellationToken.None));
        Assert.True(queue.TryRead(out _));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await queue.WaitAsync(CancellationToken.None));
        Assert.Equal(EnqueueResult.Ended, queue.TryWrite(2, out _));
    }

    [Fact]
    public void Write_and_read_allocate_nothing()
    {
        var queue = new MessageQueue<int>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);

        Assert.Equal(0, Allocations.PerCall(() =>
        {
            queue.TryWrite(1, out _);
            queue.TryRead(out _);
        }));
    }
}
