namespace Postrider.Samples.OrderDesk;

/// <summary>Published when an order was placed.</summary>
public sealed partial record OrderPlaced(int Number, string Item, int Quantity) : INotification;
