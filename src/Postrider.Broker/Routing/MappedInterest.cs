namespace Postrider.Broker.Routing;

/// <summary>The interest of an account in what it maps to other subjects. It is announced to leaf nodes and hubs, which do not know the mapping,
/// and is not among the account's subscriptions.</summary>
/// <param name="source">The subject or pattern that is mapped.</param>
internal sealed class MappedInterest(ReadOnlySpan<byte> source) : Subscription(source, [], DeliveryConditions.None);
