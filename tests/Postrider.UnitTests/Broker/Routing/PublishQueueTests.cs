using System.Diagnostics;
using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.Routing;

public sealed class PublishQueueTests
{
    private static readonly TimeSpan Cost = TimeSpan.FromMicroseconds(50);

    private readonly SubjectTree<Subscription> _tree = new();
    private readonly SendBatchSet _batches = new();
    private readonly FairLock _gate = new();
    private readonly Service _service = new();
    private readonly PublishQueue _queue;

    public PublishQueueTests()
    {
        var subscription = new Subscription(_service, ">"u8, []);
        _tree.Add(subscription.SubjectBytes, [], subscription);
        _queue = new PublishQueue(_tree, _gate);
    }

    [Fact]
    public void Very_many_messages_are_published_in_steps_and_in_order()
    {
        const int Messages = 1_000;
        var batch = _batches.Rent();
        Add(0, Messages);

        batch.Begin();
        _queue.Publish(batch);
        batch.End(null);

        Assert.True(batch.IsUnfinished);
        Assert.InRange(_service.Received.Count, 1, Messages - 1);

        // What comes meanwhile by another batch goes behind.
        Add(Messages, Messages + 10);
        _batches.Run(_queue, static (queue, other) => queue.Publish(other));
        Finish(batch);

        Assert.Equal(Enumerable.Range(0, Messages + 10), _service.Received);
        Assert.Equal(0, _queue.Bytes);
    }

    [Fact]
    public void A_step_that_throws_gives_the_turn_back()
    {
        var batch = _batches.Rent();
        _service.FailsAt = 500;
        Add(0, 1_000);

        batch.Begin();
        Assert.Throws<InvalidOperationException>(() =>
        {
            _queue.Publish(batch);
            batch.End(null);
            Finish(batch);
        });
        Add(1_000, 1_010);
        batch.Begin();
        _queue.Publish(batch);
        batch.End(null);
        Finish(batch);

        Assert.Equal(Enumerable.Range(0, 500).Concat(Enumerable.Range(1_000, 10)), _service.Received);
    }

    private static void Finish(SendBatch batch)
    {
        while (batch.IsUnfinished)
        {
            batch.Begin();
            batch.RunDeferredCallbacks();
            batch.End(null);
        }
    }

    private void Add(int from, int to)
    {
        using (_gate.Hold())
        {
            for (var i = from; i < to; i++) _queue.Add("s"u8, [], Encoding.ASCII.GetBytes($"{i}"));
        }
    }

    private sealed class Service : IInternalSubscriber
    {
        public List<int> Received { get; } = [];

        public int FailsAt { get; set; } = -1;

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
        {
            var number = int.Parse(Encoding.ASCII.GetString(payload), System.Globalization.CultureInfo.InvariantCulture);
            if (number == FailsAt) throw new InvalidOperationException("It fails here.");
            Received.Add(number);
            // A handler that takes its time.
            var until = Stopwatch.GetTimestamp() + (long)(Cost.TotalSeconds * Stopwatch.Frequency);
            while (Stopwatch.GetTimestamp() < until) Thread.SpinWait(10);
        }
    }
}
