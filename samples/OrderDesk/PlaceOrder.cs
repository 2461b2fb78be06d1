namespace Postrider.Samples.OrderDesk;

/// <summary>A customer wants so many of something.</summary>
public sealed partial record PlaceOrder(string Item, int Quantity) : ICommand<Receipt>;
