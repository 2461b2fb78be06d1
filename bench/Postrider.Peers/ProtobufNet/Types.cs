using Orleans;
using ProtoBuf;

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>As ours of the same name.</summary>
[ProtoContract, GenerateSerializer]
public sealed class Small
{
    /// <summary>As ours.</summary>
    [ProtoMember(1), Id(0)]
    public Guid Id { get; set; }
}

/// <summary>As ours of the same name.</summary>
[ProtoContract, GenerateSerializer]
public sealed class Address
{
    /// <summary>As ours.</summary>
    [ProtoMember(1), Id(0)]
    public string Street { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(2), Id(1)]
    public string City { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3), Id(2)]
    public string PostalCode { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(4), Id(3)]
    public string Country { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[ProtoContract, GenerateSerializer]
public sealed class OrderLine
{
    /// <summary>As ours.</summary>
    [ProtoMember(1), Id(0)]
    public Guid ProductId { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(2), Id(1)]
    public string ProductName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3), Id(2)]
    public int Quantity { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(4), Id(3)]
    public decimal Price { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(5), Id(4)]
    public string Comment { get; set; } = null!;
}

/// <summary>As ours of the same name; the level makes a time a Timestamp, which comes back as UTC.</summary>
[ProtoContract, GenerateSerializer]
[CompatibilityLevel(CompatibilityLevel.Level240)]
public sealed class Large
{
    /// <summary>As ours.</summary>
    [ProtoMember(1), Id(0)]
    public Guid Id { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(2), Id(1)]
    public string Number { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(3), Id(2)]
    public string CustomerName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(4), Id(3)]
    public string Email { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(5), Id(4)]
    public string Phone { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(6), Id(5)]
    public DateTime Placed { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(7), Id(6)]
    public decimal Total { get; set; }

    /// <summary>As ours.</summary>
    [ProtoMember(8), Id(7)]
    public Address Billing { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(9), Id(8)]
    public Address Shipping { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(10), Id(9)]
    public List<OrderLine> Lines { get; set; } = null!;

    /// <summary>As ours.</summary>
    [ProtoMember(11), Id(10)]
    public string Comment { get; set; } = null!;
}
