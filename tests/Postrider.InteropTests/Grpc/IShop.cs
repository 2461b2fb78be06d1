using Postrider.Rpc;

namespace Postrider.InteropTests.Grpc;

/// <summary>The service of <c>proto/shop.proto</c>.</summary>
[Service("Shop")]
public interface IShop
{
    [Fault(typeof(OutOfStock))]
    ValueTask<Receipt> BuyAsync(Order order, CallContext context, CancellationToken ct = default);

    IAsyncEnumerable<Order> ListAsync(Filter filter, CancellationToken ct = default);

    ValueTask<Receipt> FillAsync(IAsyncEnumerable<Order> orders, CancellationToken ct = default);

    IAsyncEnumerable<Receipt> TradeAsync(IAsyncEnumerable<Order> orders, CancellationToken ct = default);

    ValueTask<int> AddAsync(int first, int second);

    ValueTask WaitAsync(CallContext context, CancellationToken ct = default);

    IAsyncEnumerable<int> TickAsync(CallContext context, CancellationToken ct = default);
}
