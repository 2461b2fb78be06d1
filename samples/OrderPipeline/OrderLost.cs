namespace Postrider.Samples.OrderPipeline;

/// <summary>An order that could not be packed: a dead letter's body, which is the order's.</summary>
public sealed partial record OrderLost(string Id, string Item, int Quantity) : INotification;
