using System;
using System.Collections.Generic;

namespace Postrider.Benchmarks.Peers.MemoryPack;

/// <summary>As ours of the same name.</summary>
[global::MemoryPack.MemoryPackable]
public sealed partial class Small
{
    /// <summary>As ours.</summary>
    public Guid Id { get; set; }
}

/// <summary>As ours of the same name.</summary>
[global::MemoryPack.MemoryPackable]
public sealed partial class Address
{
    /// <summary>As ours.</summary>
    public string Street { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string City { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string PostalCode { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string Country { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[global::MemoryPack.MemoryPackable]
public sealed partial class OrderLine
{
    /// <summary>As ours.</summary>
    public Guid ProductId { get; set; }

    /// <summary>As ours.</summary>
    public string ProductName { get; set; } = null!;

    /// <summary>As ours.</summary>
    public int Quantity { get; set; }

    /// <summary>As ours.</summary>
    public decimal Price { get; set; }

    /// <summary>As ours.</summary>
    public string Comment { get; set; } = null!;
}

/// <summary>As ours of the same name.</summary>
[global::MemoryPack.MemoryPackable]
public sealed partial class Large
{
    /// <summary>As ours.</summary>
    public Guid Id { get; set; }

    /// <summary>As ours.</summary>
    public string Number { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string CustomerName { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string Email { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string Phone { get; set; } = null!;

    /// <summary>As ours.</summary>
    public DateTime Placed { get; set; }

    /// <summary>As ours.</summary>
    public decimal Total { get; set; }

    /// <summary>As ours.</summary>
    public Address Billing { get; set; } = null!;

    /// <summary>As ours.</summary>
    public Address Shipping { get; set; } = null!;

    /// <summary>As ours.</summary>
    public List<OrderLine> Lines { get; set; } = null!;

    /// <summary>As ours.</summary>
    public string Comment { get; set; } = null!;
}
