using System.Threading.Channels;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;

namespace Postrider.UnitTests.Flow.Gates;

/// <summary>Items of one key begin in the source's order, whichever pump claimed them.</summary>
public class KeyOrderTests
{
    private const int Runs = 200;
    private const int Items = 120;

    public static TheoryData<string, int> Cases => new MatrixTheoryData<string, int>(["array", "list", "lazy", "async", "channel"], [1, 7]);

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Items_of_a_key_begin_in_order(string source, int keys)
    {
        for (var run = 0; run < Runs; run++)
        {
            var last = Enumerable.Repeat(-1, keys).ToArray();
            var begun = 0;
            var options = new FlowOptions<int> { MaxConcurrency = 4, Key = ItemKey<int>.By(i => i % keys) };

            await Over(source, options, BodyAsync);

            Assert.Equal(Items, begun);

            ValueTask BodyAsync(int item, CancellationToken ct)
            {
                // Items of one key never overlap, so nobody else writes here.
                var before = Interlocked.Exchange(ref last[item % keys], item);
                Interlocked.Increment(ref begun);
                Assert.True(before < item, $"Item {item} began after {before} in run {run}.");
                return item % 5 == 0 ? default : new ValueTask(Task.Run(static () => Thread.SpinWait(50), ct));
            }
        }
    }

    [Fact]
    public async Task Selector_that_throws_for_one_item_holds_up_no_other()
    {
        var options = new FlowOptions<int>
        {
            MaxConcurrency = 4,
            Errors = ErrorMode.Collect,
            Key = ItemKey<int>.By(static i => i % 10 == 3 ? throw new FormatException() : i % 7),
        };

        var thrown = await Assert.ThrowsAsync<FlowFailuresException<int>>(() => Enumerable.Range(0, Items).ToArray().SelectParallelAsync(
            static async (i, _) =>
            {
                await Task.Yield();
                return i;
            },
            options));

        Assert.Equal((Items / 10, Items - (Items / 10)), (thrown.Failures.Count, thrown.Results.Count));
    }

    private static Task Over(string source, FlowOptions<int> options, Func<int, CancellationToken, ValueTask> body)
    {
        var items = Enumerable.Range(0, Items);
        return source switch
        {
            "array" => items.ToArray().ForEachParallelAsync(body, options),
            "list" => items.ToList().ForEachParallelAsync(body, options),
            "lazy" => items.Where(static _ => true).ForEachParallelAsync(body, options),
            "async" => AsyncItems().ForEachParallelAsync(body, options),
            _ => Channel().ForEachParallelAsync(body, options),
        };

        static async IAsyncEnumerable<int> AsyncItems()
        {
            for (var i = 0; i < Items; i++)
            {
                if (i % 3 == 0)
                    await Task.Yield();
                yield return i;
            }
        }

        ChannelReader<int> Channel()
        {
            var channel = System.Threading.Channels.Channel.CreateUnbounded<int>();
            foreach (var i in items)
                Assert.True(channel.Writer.TryWrite(i));
            channel.Writer.Complete();
            return channel.Reader;
        }
    }
}
