using Postrider;

namespace OrderDesk;

public sealed partial record PlaceOrder(string Item, int Quantity) : ICommand<Receipt>;

public sealed partial record CountOrders : IQuery<int>;

public sealed partial record OrderPlaced(string Item, int Quantity) : INotification;

public sealed record Receipt(int Number, string Text);

public sealed class Ledger
{
    private int _count;

    public int Count => _count;

    public int Take() => Interlocked.Increment(ref _count);
}

internal sealed class PlaceOrderHandler(Ledger ledger, IDispatcher dispatcher) : IRequestHandler<PlaceOrder, Receipt>
{
    public async ValueTask<Receipt> Handle(PlaceOrder request, CancellationToken ct)
    {
        var number = ledger.Take();
        await dispatcher.PublishAsync(new OrderPlaced(request.Item, request.Quantity), ct);
        return new Receipt(number, $"{request.Quantity} x {request.Item}");
    }
}

internal static class OrderQueries
{
    [Handler]
    public static int Count(CountOrders query, Ledger ledger) => ledger.Count;
}

internal sealed class PackOrder : INotificationHandler<OrderPlaced>
{
    public ValueTask Handle(OrderPlaced notification, CancellationToken ct)
    {
        Console.WriteLine($"packing {notification.Quantity} x {notification.Item}");
        return default;
    }
}

[Middleware(Order = 10)]
internal sealed class RefuseEmptyOrders<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : ICommand<TResponse>
{
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        if (request is PlaceOrder { Quantity: <= 0 } order)
            throw new ArgumentOutOfRangeException(nameof(request), $"Quantity {order.Quantity} of {order.Item} is below 1.");

        return await next.Invoke(request, ct);
    }
}
