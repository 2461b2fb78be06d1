namespace Postrider.Samples.OrderPipeline;

/// <summary>The change of an order's state.</summary>
public sealed partial record OrderChanged(string Id, OrderState State) : INotification;
