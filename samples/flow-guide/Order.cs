namespace FlowGuide;

/// <summary>An order.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Customer">The customer.</param>
/// <param name="Total">Its price.</param>
public sealed record Order(long Id, string Customer, decimal Total);
