using System.Runtime.CompilerServices;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a stream does besides where both sides may send at once.</summary>
public abstract class DuplexContract : StreamContract
{
    [Fact]
    public async Task Operation_may_answer_before_the_callers_stream_ends()
        => Assert.Equal(-1L, await Client.SumAsync("", EndlessAsync()).WaitAsync(Patience));

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

    private static async IAsyncEnumerable<int> EndlessAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        yield return -1;
        while (true)
        {
            await Task.Delay(1, ct);
            yield return 0;
        }
    }
}
