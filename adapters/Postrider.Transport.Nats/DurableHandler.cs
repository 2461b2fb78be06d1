using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Passes a consumer's messages to the processor, and its settlements to the consumer.</summary>
/// <remarks>Thread-safe: one for all messages of a consumer.</remarks>
internal sealed class DurableHandler
{
    // A process that misses three signs in a row is considered dead.
    private const int SignsPerAckWait = 3;

    private readonly DeliveryProcessor _processor;

    public DurableHandler(DurableBinding binding, NatsThroughput throughput, ConsumerConfig consumer, DeliveryProcessor processor)
    {
        _processor = processor;
        var patience = consumer.Backoff is { Count: > 0 } backoff ? backoff.Min() : consumer.AckWait;
        Options = new ProcessOptions
        {
            Concurrency = binding.MaxConcurrency,
            // By default as many messages as are being handled: a stopping process returns few messages, and a dying one holds few.
            Consume = new ConsumeOptions { MaxMessages = binding.MaxConcurrency * throughput.PrefetchFactor },
            StartsInOrder = binding.OrderByKey,
            InProgressInterval = patience > TimeSpan.Zero ? patience / SignsPerAckWait : null,
        };
    }

    /// <summary>How the consumer is read.</summary>
    public ProcessOptions Options { get; }

    /// <summary>Number of deliveries after which a failed message is a dead letter.</summary>
    // A consumer configured elsewhere may stop delivering earlier than the binding.
    public static long MaxAttempts(DurableBinding binding, ConsumerConfig consumer)
        => consumer.MaxDeliver > 0 ? Math.Min(consumer.MaxDeliver, binding.Retry.MaxAttempts) : binding.Retry.MaxAttempts;

    /// <summary>Handles one message and settles it.</summary>
    /// <param name="message">The message.</param>
    /// <param name="stopped">Ignored: a started handling is finished, unless the listener is stopped forcibly.</param>
    public ValueTask HandleAsync(JetStreamMessage<ReadOnlyMemory<byte>> message, CancellationToken stopped)
    {
        var metadata = message.Metadata;
        var delivery = new Delivery(message)
        {
            Count = metadata.DeliveryCount,
            Sequence = metadata.StreamSequence,
            StoredAt = metadata.Time,
            Store = metadata.Stream,
            Consumer = metadata.Consumer,
        };
        return _processor.HandleAsync(new Envelope
        {
            Destination = message.Subject,
            Headers = NatsHeaderMapping.FromNats(message.Headers),
            Body = message.Data,
            Delivery = delivery,
        });
    }

    private sealed class Delivery(JetStreamMessage<ReadOnlyMemory<byte>> message) : MessageDelivery
    {
        protected override ValueTask SettleAsync(Settlement settlement) => settlement.Kind switch
        {
            SettlementKind.Done => message.AckAsync(CancellationToken.None),
            SettlementKind.Retry => message.NakAsync(settlement.Delay, CancellationToken.None),
            SettlementKind.DeadLetter => message.TerminateAsync(settlement.Reason.ToString(), CancellationToken.None),
            _ => message.NakAsync(ct: CancellationToken.None),
        };
    }
}
