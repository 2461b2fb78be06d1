using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a stream does, whatever carries it.</summary>
public abstract class StreamContract : CallContract
{
    [Fact]
    public async Task Stream_gives_every_item_in_order_and_ends()
    {
        var items = await Client.CountToAsync(12).ToListAsync().AsTask().WaitAsync(Patience);

        Assert.Equal(Enumerable.Range(1, 12), items);
    }

    [Fact]
    public async Task Failure_of_a_stream_comes_after_its_items()
    {
        var items = new List<int>();

        var failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (var item in Client.CountToAsync(20))
                items.Add(item);
        });

        Assert.Equal(Enumerable.Range(1, 12), items);
        Assert.Equal((RpcStatus.InvalidData, "13 is not counted."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Leaving_a_stream_ends_the_operation()
    {
        await foreach (var item in Client.CountToAsync(-1))
        {
            if (item < -10)
                break;
        }

        Assert.Equal("left", await NextAsync(Desk.Events));
    }

    [Fact]
    public async Task Token_ends_a_stream_on_both_sides()
    {
        using var end = new CancellationTokenSource();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var item in Client.CountToAsync(-1, end.Token))
            {
                if (item == -10)
                    await end.CancelAsync();
            }
        });

        Assert.Equal("left", await NextAsync(Desk.Events));
    }

    [Fact]
    public async Task Stream_of_the_caller_is_read_to_its_end()
        => Assert.Equal(2 * 5_000L * 5_001 / 2, await Client.SumAsync("twice", NumbersAsync(5_000)).WaitAsync(Patience));

    [Fact]
    public async Task Stream_of_the_caller_may_be_empty()
        => Assert.Equal(0L, await Client.SumAsync("twice", NumbersAsync(0)).WaitAsync(Patience));

    [Fact]
    public async Task Stream_may_be_empty()
        => Assert.Empty(await Client.CountToAsync(0).ToListAsync().AsTask().WaitAsync(Patience));

    [Fact]
    public async Task Failure_before_the_first_item_is_the_streams()
    {
        var failure = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await Client.SellAsync(0).ToListAsync());

        Assert.Equal(new SoldOut(0, "tea"), failure.Detail);
    }

    [Fact]
    public async Task Fault_in_the_middle_of_a_stream_arrives_with_its_detail()
    {
        var sold = new List<Ticket>();

        var failure = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () =>
        {
            await foreach (var ticket in Client.SellAsync(3))
                sold.Add(ticket);
        });

        Assert.Equal((3, new SoldOut(3, "tea"), "Sold out."), (sold.Count, failure.Detail, failure.Message));
    }

    [Fact]
    public async Task Reader_that_rests_holds_the_stream_and_not_the_calls_beside_it()
    {
        await using var items = Client.CountToAsync(-1).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());

        for (var i = 0; i < 20; i++)
            Assert.Equal("aa", await Client.JoinAsync("a", 2));

        for (var i = -2; i > -30_000; i--)
        {
            Assert.True(await items.MoveNextAsync());
            Assert.Equal(i, items.Current);
        }
    }

    [Fact]
    public async Task Time_of_the_call_ends_a_stream()
    {
        var context = new CallContext { Timeout = TimeSpan.FromMilliseconds(200) };

        var failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (var item in Client.TickAsync(context))
                Assert.True(item > 0);
        });

        Assert.Equal(RpcStatus.DeadlineExceeded, failure.Status);
    }

    [Fact]
    public async Task Failure_of_the_callers_stream_fails_the_call()
    {
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Client.SumAsync("", FailingAsync()).WaitAsync(Patience));

        Assert.Equal("no more", failure.Message);
    }

    private static async IAsyncEnumerable<int> NumbersAsync(int last)
    {
        for (var i = 1; i <= last; i++)
        {
            if (i % 1000 == 0)
                await Task.Yield();
            yield return i;
        }
    }

    private static async IAsyncEnumerable<int> FailingAsync()
    {
        yield return 1;
        await Task.Yield();
        throw new RpcException(RpcStatus.InvalidData, "no more");
    }
}
