namespace Postrider.Samples.OrderPipeline;

/// <summary>An order that could not be packed: the body of a dead letter, which is that of the order.</summary>
public sealed partial record OrderLost(string Id, string Item, int Quantity) : INotification;
