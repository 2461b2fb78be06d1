using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.Samples.StockDesk;

/// <summary>What the stock desk does, however it is reached.</summary>
[Service("stock", Version = "1.0.0")]
public interface IStock
{
    /// <summary>How much there is of an item.</summary>
    [Idempotent]
    ValueTask<StockLevel> FindAsync(string item, CancellationToken ct = default);

    /// <summary>Sets some aside.</summary>
    [Fault(typeof(SoldOut))]
    ValueTask<Reservation> ReserveAsync(ReserveStock request, CancellationToken ct = default);

    /// <summary>The level now and after each change, until the caller leaves or nothing is left.</summary>
    IAsyncEnumerable<StockLevel> WatchAsync(string item, CancellationToken ct = default);
}

/// <summary>A wish for some of an item.</summary>
[MessagePackObject]
public sealed record ReserveStock([property: Key(0)] string Item, [property: Key(1)] int Quantity);

/// <summary>What was set aside.</summary>
[MessagePackObject]
public sealed record Reservation([property: Key(0)] Guid Id, [property: Key(1)] StockLevel Left);

/// <summary>What there is of an item.</summary>
[MessagePackObject]
public sealed record StockLevel([property: Key(0)] string Item, [property: Key(1)] int Quantity, [property: Key(2)] decimal Price);

/// <summary>Why nothing was set aside.</summary>
[MessagePackObject]
public sealed record SoldOut([property: Key(0)] string Item, [property: Key(1)] int Left);
