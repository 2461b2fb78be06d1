using System.Threading.Channels;
using Postrider.Flow;

namespace Postrider.UnitTests.Flow.Operators;

/// <summary>Batches of an array operator over sources that pause.</summary>
[Collection(VirtualTime.Name)]
public class BatchDelayTests
{
    private readonly TestClock _time = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Part_of_a_batch_is_sent_when_its_first_item_has_waited(bool asChannel)
    {
        var channel = Channel.CreateUnbounded<int>();
        var sent = new TaskCompletionSource();
        var options = new FlowOptions { TimeProvider = _time };
        var delay = TimeSpan.FromSeconds(1);
        for (var i = 0; i < 3; i++)
            channel.Writer.TryWrite(i);

        var task = asChannel
            ? channel.Reader.BatchParallelAsync(10, CountAsync, delay, options)
            : channel.Reader.ReadAllAsync().BatchParallelAsync(10, CountAsync, delay, options);
        await sent.Task.FinishAsync(_time);
        channel.Writer.TryWrite(3);
        channel.Writer.Complete();

        var sizes = await task.FinishAsync(_time);

        Assert.Equal([3, 1], sizes);

        ValueTask<int> CountAsync(Postrider.Flow.Sources.Batch<int> batch, CancellationToken ct)
        {
            sent.TrySetResult();
            return ValueTask.FromResult(batch.Count);
        }
    }

    [Fact]
    public void Negative_delay_is_refused()
        => Assert.Throws<ArgumentOutOfRangeException>(
            () => { _ = Channel.CreateUnbounded<int>().Reader.BatchParallelAsync(10, (batch, _) => ValueTask.FromResult(batch.Count), TimeSpan.FromSeconds(-1)); });
}
