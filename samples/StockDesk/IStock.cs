using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.Samples.StockDesk;

/// <summary>The operations of the stock desk, over every transport.</summary>
[Service("stock", Version = "1.0.0")]
public interface IStock
{
    /// <summary>The available quantity of an item.</summary>
    [Idempotent]
    ValueTask<StockLevel> FindAsync(string item, CancellationToken ct = default);

    /// <summary>Sets a quantity aside.</summary>
    [Fault(typeof(SoldOut))]
    ValueTask<Reservation> ReserveAsync(ReserveStock request, CancellationToken ct = default);

    /// <summary>The level now and after each change, until the caller cancels or nothing is left.</summary>
    IAsyncEnumerable<StockLevel> WatchAsync(string item, CancellationToken ct = default);
}

/// <summary>A request for a quantity of an item.</summary>
[MessagePackObject]
public sealed record ReserveStock([property: Key(0)] string Item, [property: Key(1)] int Quantity);

/// <summary>The quantity that was set aside.</summary>
[MessagePackObject]
public sealed record Reservation([property: Key(0)] Guid Id, [property: Key(1)] StockLevel Left);

/// <summary>The available quantity and the price of an item.</summary>
[MessagePackObject]
public sealed record StockLevel([property: Key(0)] string Item, [property: Key(1)] int Quantity, [property: Key(2)] decimal Price);

/// <summary>The fault if not enough is available.</summary>
[MessagePackObject]
public sealed record SoldOut([property: Key(0)] string Item, [property: Key(1)] int Left);
