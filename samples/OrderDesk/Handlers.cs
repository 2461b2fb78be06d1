using System.Globalization;
using Postrider.Middleware;
using Postrider.Samples.OrderPipeline;

namespace Postrider.Samples.OrderDesk;

internal sealed class PlaceOrderHandler(Ledger ledger, Seller seller, IDispatcher dispatcher) : IRequestHandler<PlaceOrder, Receipt>
{
    public async ValueTask<Receipt> Handle(PlaceOrder request, CancellationToken ct)
    {
        var number = await ledger.TakeAsync(ct);
        // When the receipt is returned, no crash can lose the order: it is stored, and a worker will pack it.
        await seller.SellAsync(new PackOrder(number.ToString(CultureInfo.InvariantCulture), request.Item, request.Quantity), ct);
        await dispatcher.PublishAsync(new OrderPlaced(number, request.Item, request.Quantity), ct);
        return new Receipt(number, $"{request.Quantity} x {request.Item}");
    }
}

internal static class OrderQueries
{
    [Handler]
    public static async Task<OrderCount> Count(CountOrders query, Ledger ledger, CancellationToken ct) => new(await ledger.CountAsync(ct));
}

[Middleware(Order = 10)]
internal sealed class RejectEmptyOrders<TRequest, TResponse> : IMiddleware<TRequest, TResponse>
    where TRequest : ICommand<TResponse>
{
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
        => request is PlaceOrder { Quantity: <= 0 } order
            ? throw new InvalidMessageException(typeof(PlaceOrder), [new ValidationError("quantity", $"{order.Quantity} of {order.Item} is below 1.")])
            : next.Invoke(request, ct);
}
