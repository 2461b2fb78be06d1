using System;
using System.Collections.Generic;

namespace Postrider.Benchmarks.Peers.MessagePack;

/// <summary>As ours of the same name.</summary>
[global::MessagePack.MessagePackObject]
public sealed class Small
{
    /// <summary>As ours.</summary>
    [global::MessagePack.Key(0)]
    public Guid Id { get; set; }
}

/// <summary>As ours of the same name.</summary>
[global::MessagePack.MessagePackObject]
public sealed class Address
{
    /// <summary>As ours.</summary>
    [global::MessagePack.Key(0)]
    public string Street { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(1)]
    public string City { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(2)]
    public string PostalCode { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(3)]
    public string Country { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[global::MessagePack.MessagePackObject]
public sealed class OrderLine
{
    /// <summary>As ours.</summary>
    [global::MessagePack.Key(0)]
    public Guid ProductId { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(1)]
    public string ProductName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(2)]
    public int Quantity { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(3)]
    public decimal Price { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(4)]
    public string Comment { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[global::MessagePack.MessagePackObject]
public sealed class Large
{
    /// <summary>As ours.</summary>
    [global::MessagePack.Key(0)]
    public Guid Id { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(1)]
    public string Number { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(2)]
    public string CustomerName { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(3)]
    public string Email { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(4)]
    public string Phone { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(5)]
    public DateTime Placed { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(6)]
    public decimal Total { get; set; }

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(7)]
    public Address Billing { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(8)]
    public Address Shipping { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(9)]
    public List<OrderLine> Lines { get; set; } = null!;

    /// <summary>As ours.</summary>
    [global::MessagePack.Key(10)]
    public string Comment { get; set; } = null!;
}
