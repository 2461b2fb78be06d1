namespace Postrider.Samples.OrderDesk;

/// <summary>Told to everybody once an order was placed.</summary>
public sealed partial record OrderPlaced(int Number, string Item, int Quantity) : INotification;
