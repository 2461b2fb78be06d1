namespace Postrider.Transport.Grpc;

/// <summary>A message whose sender waits for the receipt.</summary>
internal sealed class GrpcDelivery : MessageDelivery
{
    /// <summary>The outcome for the message; null until it is settled.</summary>
    internal Settlement? Settled { get; private set; }

    protected override ValueTask SettleAsync(Settlement settlement)
    {
        Settled = settlement;
        return default;
    }
}
