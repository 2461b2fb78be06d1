using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>An address of an order.</summary>
[MessagePackObject]
public sealed class Address
{
    /// <summary>First line.</summary>
    [Key(0)]
    public string Street { get; set; } = null!;

    /// <summary>The town.</summary>
    [Key(1)]
    public string City { get; set; } = null!;

    /// <summary>Its code.</summary>
    [Key(2)]
    public string PostalCode { get; set; } = null!;

    /// <summary>The country.</summary>
    [Key(3)]
    public string Country { get; set; } = null!;
}
