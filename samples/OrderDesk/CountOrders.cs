namespace Postrider.Samples.OrderDesk;

/// <summary>Requests the number of orders placed so far.</summary>
public sealed partial record CountOrders : IQuery<OrderCount>;
