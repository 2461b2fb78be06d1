using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>A delivery, settled by the consumer that received it.</summary>
internal sealed class RabbitMqDelivery(ArrivedMessage message, RabbitMqConsumer consumer, RabbitMqPublisher publisher, RabbitMqBinding binding, bool returnsAreFree) : MessageDelivery
{
    internal ValueTask ReturnAsync() => SettleAsync(new(SettlementKind.Return));

    protected override ValueTask SettleAsync(Settlement settlement) => settlement.Kind switch
    {
        SettlementKind.Retry => StoreAgainAsync(Count, settlement.Delay),
        // Before RabbitMQ 4.3, a quorum queue counts returned messages as delivered, and a classic one marks them.
        SettlementKind.Return when returnsAreFree && binding.QueueType == RabbitMqQueueType.Quorum => consumer.ReturnAsync(message.Tag),
        SettlementKind.Return => StoreAgainAsync(Count - 1, TimeSpan.Zero),
        // The dead letter has been stored by its sender.
        _ => new(consumer.Acknowledgements.AcknowledgeAsync(message.Tag)),
    };

    // The copy is confirmed first: a process that dies in between leaves two messages, never none.
    private async ValueTask StoreAgainAsync(long attempts, TimeSpan delay)
    {
        // The server has taken the message back: a copy would be a second one.
        if (!consumer.Channel.IsOpen)
            throw new AlreadyClosedException(new ShutdownEventArgs(ShutdownInitiator.Library, 0, consumer.EndedBy));
        await publisher.PublishAsync(new RabbitMqAddress("", binding.Source), RabbitMqHeaderMapping.Again(message.Properties, attempts), message.Body, delay, CancellationToken.None).ConfigureAwait(false);
        await consumer.Acknowledgements.AcknowledgeAsync(message.Tag).ConfigureAwait(false);
    }
}
