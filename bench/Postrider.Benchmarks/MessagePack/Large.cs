using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>An order with two addresses and three lines: 19 strings, about one kilobyte.</summary>
[MessagePackObject]
public sealed class Large
{
    /// <summary>The order.</summary>
    [Key(0)]
    public Guid Id { get; set; }

    /// <summary>Its number.</summary>
    [Key(1)]
    public string Number { get; set; } = null!;

    /// <summary>Who ordered.</summary>
    [Key(2)]
    public string CustomerName { get; set; } = null!;

    /// <summary>Where to write.</summary>
    [Key(3)]
    public string Email { get; set; } = null!;

    /// <summary>Where to call.</summary>
    [Key(4)]
    public string Phone { get; set; } = null!;

    /// <summary>When.</summary>
    [Key(5)]
    public DateTime Placed { get; set; }

    /// <summary>What it costs.</summary>
    [Key(6)]
    public decimal Total { get; set; }

    /// <summary>Who pays.</summary>
    [Key(7)]
    public Address Billing { get; set; } = null!;

    /// <summary>Who receives.</summary>
    [Key(8)]
    public Address Shipping { get; set; } = null!;

    /// <summary>What.</summary>
    [Key(9)]
    public List<OrderLine> Lines { get; set; } = null!;

    /// <summary>A remark.</summary>
    [Key(10)]
    public string Comment { get; set; } = null!;
}
