namespace Postrider.Broker.Routing;

/// <summary>The subscription by which messages leave an account for another one.</summary>
/// <param name="crossing">Takes them over.</param>
/// <param name="subject">The subject or pattern.</param>
internal sealed class CrossingSubscription(AccountCrossing crossing, ReadOnlySpan<byte> subject)
    : Subscription(subject, [], DeliveryConditions.Crossing)
{
    /// <summary>Takes the messages over.</summary>
    public AccountCrossing Crossing { get; } = crossing;
}
