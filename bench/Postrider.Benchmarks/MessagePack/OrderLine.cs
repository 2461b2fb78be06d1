using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>A line of an order.</summary>
[MessagePackObject]
public sealed class OrderLine
{
    /// <summary>What is bought.</summary>
    [Key(0)]
    public Guid ProductId { get; set; }

    /// <summary>Its name.</summary>
    [Key(1)]
    public string ProductName { get; set; } = null!;

    /// <summary>How many.</summary>
    [Key(2)]
    public int Quantity { get; set; }

    /// <summary>For how much each.</summary>
    [Key(3)]
    public decimal Price { get; set; }

    /// <summary>A remark.</summary>
    [Key(4)]
    public string Comment { get; set; } = null!;
}
