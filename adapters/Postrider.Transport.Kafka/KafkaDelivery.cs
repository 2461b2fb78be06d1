namespace Postrider.Transport.Kafka;

/// <summary>A delivery whose settlement the listener carries out after the processor has returned.</summary>
internal sealed class KafkaDelivery : MessageDelivery
{
    /// <summary>The outcome for the message: returned unless it was settled.</summary>
    internal Settlement Settled { get; private set; } = new(SettlementKind.Return);

    internal ValueTask RetryAsync(TimeSpan delay) => SettleAsync(new(SettlementKind.Retry) { Delay = delay });

    protected override ValueTask SettleAsync(Settlement settlement)
    {
        Settled = settlement;
        return default;
    }
}
