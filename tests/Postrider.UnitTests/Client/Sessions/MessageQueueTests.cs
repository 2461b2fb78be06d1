using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class MailboxTests
{
    [Fact]
    public void Messages_come_out_in_order_however_many_there_are()
    {
        var mailbox = new MessageQueue<int>(10_000, SlowConsumerPolicy.DropNewest, wakesInline: false);
        var read = new List<int>();

        for (var i = 0; i < 1000; i++)
        {
            for (var j = 0; j < i % 40; j++) mailbox.TryWrite((i * 100) + j, out _);
            for (var j = 0; j < (i * 7) % 41; j++)
                if (mailbox.TryRead(out var item)) read.Add(item);
        }
        while (mailbox.TryRead(out var item)) read.Add(item);

        Assert.Equal(read.Order(), read);
        Assert.Equal(Enumerable.Range(0, 1000).Sum(i => i % 40), read.Count);
    }

    [Fact]
    public async Task Waiting_reader_is_woken_by_the_signal()
    {
        var mailbox = new MessageQueue<string>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        var waiting = mailbox.WaitAsync(CancellationToken.None);

        mailbox.TryWrite("x", out var mustSignal);
        mailbox.Signal();

        Assert.True(mustSignal);
        Assert.True(await waiting);
        Assert.True(mailbox.TryRead(out var item));
        Assert.Equal("x", item);
    }

    [Fact]
    public async Task Cancelled_wait_throws_and_the_next_one_works()
    {
        var mailbox = new MessageQueue<string>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        using var cancellation = new CancellationTokenSource();
        var waiting = mailbox.WaitAsync(cancellation.Token).AsTask();

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        mailbox.TryWrite("x", out _);
        Assert.True(await mailbox.WaitAsync(CancellationToken.None));
    }

    [Fact]
    public async Task End_comes_after_what_waited_and_an_error_is_thrown()
    {
        var mailbox = new MessageQueue<int>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);
        mailbox.TryWrite(1, out _);

        mailbox.Complete(new InvalidOperationException("over"));

        Assert.True(await mailbox.WaitAsync(CancellationToken.None));
        Assert.True(mailbox.TryRead(out _));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await mailbox.WaitAsync(CancellationToken.None));
        Assert.Equal(EnqueueResult.Ended, mailbox.TryWrite(2, out _));
    }

    [Fact]
    public void Write_and_read_allocate_nothing()
    {
        var mailbox = new MessageQueue<int>(10, SlowConsumerPolicy.DropNewest, wakesInline: false);

        Assert.Equal(0, Allocations.PerCall(() =>
        {
            mailbox.TryWrite(1, out _);
            mailbox.TryRead(out _);
        }));
    }
}
