using Postrider.Flow;
using Postrider.Flow.Gates;

namespace Postrider.UnitTests.Flow;

public class FlowPipelineTests
{
    private static readonly FlowOptions Ordered = new() { MaxConcurrency = 4, Order = ResultOrder.Source };

    [Fact]
    public async Task Stages_follow_one_another_with_their_types()
    {
        var pipeline = FlowPipeline.Of<int>(Ordered)
            .Where((i, _) => ValueTask.FromResult(i % 2 == 0))
            .SelectMany((i, _) => ValueTask.FromResult<IReadOnlyList<long>>([i, i + 1]))
            .Select(async (i, _) => { await Task.Yield(); return i * 10; })
            .Batch(4, (batch, _) => ValueTask.FromResult(string.Join(",", batch)));

        var results = await pipeline.RunAsync(Enumerable.Range(0, 6)).ToListAsync();

        Assert.Equal(["0,10,20,30", "40,50"], results);
    }

    [Fact]
    public async Task Leaving_the_loop_ends_every_stage()
    {
        var disposed = false;
        var pipeline = FlowPipeline.Of<int>(Ordered).Tap((_, _) => default).Select((i, _) => ValueTask.FromResult(i));

        await foreach (var i in pipeline.RunAsync(Endless()))
        {
            if (i == 100)
                break;
        }

        Assert.True(disposed);

        async IAsyncEnumerable<int> Endless()
        {
            try
            {
                for (var i = 0; ; i++)
                {
                    await Task.Yield();
                    yield return i;
                }
            }
            finally
            {
                disposed = true;
            }
        }
    }

    [Fact]
    public void Mistake_in_a_stage_shows_where_the_stage_is_written()
    {
        var pipeline = FlowPipeline.Of<int>();

        Assert.Throws<ArgumentException>(() => pipeline.Select((i, _) => ValueTask.FromResult(i), new FlowOptions { Window = 0 }));
        Assert.Throws<ArgumentException>(() => pipeline.Batch(2, (batch, _) => ValueTask.FromResult(batch.Count), options: new FlowOptions<int> { Key = ItemKey<int>.By(i => i) }));
        Assert.Throws<ArgumentException>(() => FlowPipeline.Of<int>(new FlowOptions { Window = 0 }).Tap((_, _) => default));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Item_with_null_for_its_results_fails_and_the_message_says_so(bool atOnce)
    {
        var pipeline = FlowPipeline.Of<int>(Ordered).SelectMany<int>(async (_, _) =>
        {
            if (!atOnce)
                await Task.Yield();
            return null!;
        });

        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(async () => await pipeline.RunAsync([1]).ToListAsync());

        Assert.Contains("SelectMany returned null", thrown.Message);
    }

    [Fact]
    public async Task Failure_of_a_middle_stage_arrives_as_it_is()
    {
        var pipeline = FlowPipeline.Of<int>(Ordered)
            .Select((i, _) => i == 3 ? throw new FormatException() : ValueTask.FromResult(i))
            .Select((i, _) => ValueTask.FromResult(i));

        await Assert.ThrowsAsync<FormatException>(async () => await pipeline.RunAsync(Enumerable.Range(0, 10)).ToListAsync());
    }
}
