namespace Postrider.Samples.OrderDesk;

/// <summary>A customer orders a quantity of an item.</summary>
public sealed partial record PlaceOrder(string Item, int Quantity) : ICommand<Receipt>;
