namespace Postrider.Samples.OrderPipeline;

/// <summary>What happened to an order.</summary>
public sealed partial record OrderChanged(string Id, OrderState State) : INotification;
