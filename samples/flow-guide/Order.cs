namespace FlowGuide;

/// <summary>An order.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Customer">Who ordered.</param>
/// <param name="Total">What it costs.</param>
public sealed record Order(long Id, string Customer, decimal Total);
