using System.Runtime.CompilerServices;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a stream does, whatever carries it.</summary>
public abstract class StreamContract : CancelContract
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
    public async Task Operation_may_answer_before_the_callers_stream_ends()
        => Assert.Equal(-1L, await Client.SumAsync("", EndlessAsync()).WaitAsync(Patience));

    [Fact]
    public async Task Failure_of_the_callers_stream_fails_the_call()
    {
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Client.SumAsync("", FailingAsync()).WaitAsync(Patience));

        Assert.Equal("no more", failure.Message);
    }

    [Fact]
    public async Task Streams_go_both_ways_at_once()
    {
        var turns = System.Threading.Channels.Channel.CreateUnbounded<string>();
        turns.Writer.TryWrite("one");
        var heard = new List<string>();

        await foreach (var word in Client.ShoutAsync(turns.Reader.ReadAllAsync()))
        {
            heard.Add(word);
            if (heard.Count == 3)
                turns.Writer.Complete();
            else
                await turns.Writer.WriteAsync($"next {heard.Count}");
        }

        Assert.Equal(["ONE", "NEXT 1", "NEXT 2"], heard);
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

    private static async IAsyncEnumerable<int> EndlessAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        yield return -1;
        while (true)
        {
            await Task.Delay(1, ct);
            yield return 0;
        }
    }

    private static async IAsyncEnumerable<int> FailingAsync()
    {
        yield return 1;
        await Task.Yield();
        throw new RpcException(RpcStatus.InvalidData, "no more");
    }
}
