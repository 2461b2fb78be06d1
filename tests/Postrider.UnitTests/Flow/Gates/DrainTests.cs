using System.Threading.Channels;
using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Sources;

namespace Postrider.UnitTests.Flow.Gates;

/// <summary>What a drain keeps: everything taken from a source that cannot give it to anybody else.</summary>
public class DrainTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly FlowControl _control = new();
    private int _run;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Items_taken_from_a_channel_are_run(bool keyed)
    {
        var channel = Filled(1_000);

        await channel.ForEachParallelAsync(
            async (i, _) =>
            {
                if (Interlocked.Increment(ref _run) == 100)
                    _control.Drain();
                if (i % 4 == 0)
                    await Task.Yield();
            },
            new FlowOptions<int> { MaxConcurrency = 8, Control = _control, Key = keyed ? ItemKey<int>.By(static i => i % 2) : null }).WaitAsync(Patience);

        Assert.Equal(1_000, _run + channel.Count);
    }

    [Fact]
    public async Task Items_taken_from_an_enumerable_are_run()
    {
        var taken = 0;

        await Lazy().ForEachParallelAsync(
            (_, _) =>
            {
                Interlocked.Increment(ref _run);
                return default;
            },
            new FlowOptions { MaxConcurrency = 4, Control = _control }).WaitAsync(Patience);

        Assert.InRange(taken, 100, 9_999);
        Assert.Equal(taken, _run);

        IEnumerable<int> Lazy()
        {
            for (var i = 0; i < 10_000; i++)
            {
                // Here and not in an item's body, whose thread may be held up while the others take all that is left.
                if (Interlocked.Increment(ref taken) == 100) _control.Drain();
                yield return i;
            }
        }
    }

    [Fact]
    public async Task Part_of_a_batch_is_sent()
    {
        var channel = Channel.CreateUnbounded<int>();
        for (var i = 0; i < 25; i++)
            Assert.True(channel.Writer.TryWrite(i));
        var sizes = new List<int>();

        await foreach (var size in channel.Reader.BatchParallelStreamAsync(10, WriteAsync, TimeSpan.FromHours(1), new FlowOptions { Control = _control, MaxConcurrency = 1 }))
            sizes.Add(size);

        Assert.Equal([10, 10, 5], sizes);

        ValueTask<int> WriteAsync(Batch<int> batch, CancellationToken ct)
        {
            // The second one: what follows is no full batch, and its time never comes.
            if (++_run == 2)
                ThreadPool.UnsafeQueueUserWorkItem(static control => control.Drain(), _control, preferLocal: false);
            return ValueTask.FromResult(batch.Count);
        }
    }

    [Fact]
    public async Task Cancellation_ends_a_drain()
    {
        using var cancel = new CancellationTokenSource();
        var task = new[] { 1 }.ForEachParallelAsync(
            async (_, ct) => await Task.Delay(Timeout.Infinite, ct), new FlowOptions { Control = _control }, cancel.Token);
        _control.Drain();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.WaitAsync(Patience));
    }

    [Fact]
    public async Task Failure_of_a_drain_is_thrown()
    {
        var task = new[] { 1 }.ForEachParallelAsync(
            async (_, _) =>
            {
                _control.Drain();
                await Task.Yield();
                throw new FormatException();
            },
            new FlowOptions { Control = _control });

        await Assert.ThrowsAsync<FormatException>(() => task.WaitAsync(Patience));
    }

    private static ChannelReader<int> Filled(int items)
    {
        var channel = Channel.CreateUnbounded<int>();
        for (var i = 0; i < items; i++)
            Assert.True(channel.Writer.TryWrite(i));
        return channel.Reader;
    }
}
