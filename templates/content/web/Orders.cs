using Postrider;

namespace PostriderWeb;

/// <summary>Takes orders.</summary>
internal sealed class Orders
{
    private int _last;

    [Handler]
    public ValueTask<Receipt> Place(PlaceOrder order, CancellationToken ct)
    {
        if (order.Quantity is not (> 0 and <= 100))
            throw new PostriderException(PostriderError.Refused, "An order has 1 to 100 pieces.");
        return new(new Receipt($"{Interlocked.Increment(ref _last)}", $"{order.Quantity} x {order.Item}"));
    }
}
