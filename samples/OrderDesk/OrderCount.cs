namespace Postrider.Samples.OrderDesk;

/// <summary>The number of orders.</summary>
public sealed record OrderCount(int Orders);
