using System.Collections.Concurrent;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

public sealed class BatchCollectorTests
{
    private static readonly Envelope s_envelope = new() { Destination = "parcels" };

    [Fact]
    public async Task Message_that_waits_behind_a_batch_is_returned_unhandled_when_the_listener_gives_up()
    {
        using var abandoned = new CancellationTokenSource();
        var handled = new ConcurrentQueue<string>();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var collector = new BatchCollector<string>(new BatchOptions { MaxMessages = 1 }, orderByKey: false, TimeProvider.System, observer: null, async (batch, ct) =>
        {
            handled.Enqueue(batch[0]);
            begun.TrySetResult();
            await Task.Delay(Timeout.Infinite, ct);
        });
        var running = collector.AddAsync("running", s_envelope, abandoned.Token).AsTask();
        var waiting = collector.AddAsync("waiting", s_envelope, abandoned.Token).AsTask();
        await begun.Task;
        collector.Collect(isListening: false);

        await abandoned.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(["running"], handled);
    }

    [Fact]
    public async Task Batch_in_the_making_is_handled_when_the_listener_stops()
    {
        var handled = new ConcurrentQueue<int>();
        var collector = new BatchCollector<string>(new BatchOptions { MaxMessages = 100, MaxWait = TimeSpan.FromMinutes(1) }, orderByKey: false, TimeProvider.System, observer: null, (batch, _) =>
        {
            handled.Enqueue(batch.Count);
            return default;
        });
        var adding = Enumerable.Range(0, 7).Select(i => collector.AddAsync($"{i}", s_envelope, CancellationToken.None).AsTask()).ToArray();
        Assert.DoesNotContain(adding, static task => task.IsCompleted);

        collector.Collect(isListening: false);
        await Task.WhenAll(adding);

        Assert.Equal([7], handled);
    }
}
