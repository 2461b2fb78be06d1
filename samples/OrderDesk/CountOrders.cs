namespace Postrider.Samples.OrderDesk;

/// <summary>How many orders were placed so far.</summary>
public sealed partial record CountOrders : IQuery<OrderCount>;
