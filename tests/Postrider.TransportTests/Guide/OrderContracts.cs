using Postrider;

// What both systems of a migration share: the names are on the wire.
namespace Orders.Contracts;

public sealed partial record PayOrder(string Order, decimal Amount) : ICommand;

public sealed partial record ShipOrder(string Order) : ICommand;

public sealed partial record OrderPaid(string Order) : INotification;

public sealed partial record OrderPlaced(string Order) : INotification;
