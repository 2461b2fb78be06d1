using ProtoBuf;

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>As ours of the same name.</summary>
[ProtoContract]
public sealed class Small
{
    /// <summary>As ours.</summary>
    [ProtoMember(1)]
    public Guid Id { get; set; }
}

/// <summary>As ours of the same name.</summary>
[ProtoContract]
public sealed class Address
{
    /// <summary>As ours.</summary>
    [ProtoMember(1)]
    public string Street { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(2)]
    public string City { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3)]
    public string PostalCode { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(4)]
    public string Country { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[ProtoContract]
public sealed class OrderLine
{
    /// <summary>As ours.</summary>
    [ProtoMember(1)]
    public Guid ProductId { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(2)]
    public string ProductName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3)]
    public int Quantity { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(4)]
    public decimal Price { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(5)]
    public string Comment { get; set; } = null!;
}

/// <summary>As ours of the same name; the level makes a time a Timestamp, which comes back as UTC.</summary>
[ProtoContract]
[CompatibilityLevel(CompatibilityLevel.Level240)]
public sealed class Large
{
    /// <summary>As ours.</summary>
    [ProtoMember(1)]
    public Guid Id { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(2)]
    public string Number { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3)]
    public string CustomerName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(4)]
    public string Email { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(5)]
    public string Phone { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(6)]
    public DateTime Placed { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(7)]
    public decimal Total { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(8)]
    public Address Billing { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(9)]
    public Address Shipping { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(10)]
    public List<OrderLine> Lines { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(11)]
    public string Comment { get; set; } = null!;
}
