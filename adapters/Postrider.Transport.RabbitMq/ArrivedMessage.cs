using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>A message as the client delivered it; the bytes are a copy, because the client's are only valid during its callback.</summary>
internal sealed record ArrivedMessage(ulong Tag, bool Redelivered, string Exchange, string RoutingKey, IReadOnlyBasicProperties Properties, ReadOnlyMemory<byte> Body)
{
    /// <summary>The number of the delivery: those before the message was last stored, and those since.</summary>
    /// <remarks>A classic queue only reports that there was one. From RabbitMQ 4.3 on, quorum queues report those that were returned
    /// without an attempt too, separately.</remarks>
    internal long Count
        => 1 + RabbitMqHeaderMapping.Number(Properties, RabbitMqHeaderMapping.Attempts)
            + Math.Max(RabbitMqHeaderMapping.Number(Properties, "x-delivery-count"), Redelivered && !HasReturns ? 1 : 0);

    private bool HasReturns => RabbitMqHeaderMapping.Number(Properties, "x-acquired-count") > 0;
}
