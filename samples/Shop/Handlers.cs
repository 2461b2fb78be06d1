using System.Collections.Concurrent;

namespace Postrider.Samples.Shop;

/// <summary>The stock: reserves the ordered items.</summary>
internal static class Stock
{
    [Handler]
    public static async Task On(ReserveStock message, IDispatcher dispatcher, Shelf shelf, CancellationToken ct)
    {
        if (!shelf.Has(message.Item))
            throw new PostriderException(PostriderError.Refused, $"There is no {message.Item}.");
        await dispatcher.PublishAsync(new StockReserved(message.Order), ct);
    }
}

/// <summary>The items in the stock.</summary>
public sealed class Shelf
{
    private readonly ConcurrentDictionary<string, bool> _items = new(StringComparer.Ordinal) { ["tea"] = true, ["glass"] = true };

    /// <summary>Adds an item.</summary>
    public void Add(string item) => _items[item] = true;

    internal bool Has(string item) => _items.ContainsKey(item);
}

/// <summary>The payments: orders of more than a hundred are not paid.</summary>
internal static class Payments
{
    private const decimal MostThatIsPaid = 450m;

    [Handler]
    public static async Task On(CollectPayment message, IDispatcher dispatcher, CancellationToken ct)
    {
        if (message.Amount <= MostThatIsPaid)
            await dispatcher.PublishAsync(new PaymentArrived(message.Order), ct);
    }
}

/// <summary>The orders that have ended, for queries.</summary>
internal sealed class OrderBook
{
    private readonly ConcurrentDictionary<string, string> _closed = new(StringComparer.Ordinal);

    internal string? Find(string order) => _closed.GetValueOrDefault(order);

    [Handler(Lifetime = HandlerLifetime.Singleton)]
    public void On(OrderClosed message) => _closed[message.Order] = message.Outcome;
}
