using Postrider.Broker.JetStream.Consumers.Delivery;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Storage.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Consumers.Delivery;

/// <summary>A client that changes its mind about the same deliveries again and again.</summary>
public sealed class RedeliveryBoundTests
{
    private const int Rounds = 100_000;

    private readonly PendingTable _pending = new();
    private readonly int _first;
    private readonly int _second;

    public RedeliveryBoundTests()
    {
        _first = _pending.Add(new PendingDelivery(1, 1, 0));
        _second = _pending.Add(new PendingDelivery(2, 2, 0));
    }

    [Fact]
    public void Delays_of_one_delivery_take_the_memory_of_a_few()
    {
        var deadlines = new AckDeadlineQueue(_pending);
        deadlines.Reset(new RedeliverySettings(AckPolicy.Explicit, 1000, [], 0, 0));

        for (var i = 0; i < Rounds; i++)
        {
            deadlines.EnqueueAt(_first, long.MaxValue - i);
            deadlines.EnqueueAt(_second, 5_000_000 + i);
        }

        Assert.InRange(deadlines.DelayedEntries, 2, 200);
        Assert.Equal(5_000_000 + Rounds - 1, deadlines.NextDue());
        Assert.True(deadlines.TryDequeue(long.MaxValue - 1, out var slot) && slot == _second);
        Assert.True(deadlines.TryDequeue(long.MaxValue, out slot) && slot == _first);
        Assert.False(deadlines.TryDequeue(long.MaxValue, out _));
    }

    [Fact]
    public void Redeliveries_that_were_removed_take_the_memory_of_a_few()
    {
        var redeliveries = new RedeliveryQueue(_pending);
        redeliveries.Add(_second);

        for (var i = 0; i < Rounds; i++)
        {
            redeliveries.Add(_first);
            Assert.True(redeliveries.Remove(_first));
        }
        redeliveries.Add(_first);

        Assert.InRange(redeliveries.Entries, 2, 200);
        Assert.Equal(2, redeliveries.Count);
        Assert.True(redeliveries.TryPeek(out var slot) && slot == _second);
        Assert.True(redeliveries.Remove(_second));
        Assert.True(redeliveries.TryPeek(out slot) && slot == _first);
    }
}
