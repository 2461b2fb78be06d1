namespace Postrider.Broker.Routing;

/// <summary>The subscription through which messages leave an account for another one.</summary>
/// <param name="forwarder">Forwards them.</param>
/// <param name="subject">The subject or pattern.</param>
internal sealed class CrossAccountSubscription(CrossAccountForwarder forwarder, ReadOnlySpan<byte> subject)
    : Subscription(subject, [], DeliveryConditions.CrossAccount)
{
    /// <summary>Forwards the messages.</summary>
    public CrossAccountForwarder Forwarder { get; } = forwarder;
}
