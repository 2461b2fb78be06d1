using Postrider;
using Postrider.Middleware;

[assembly: UseMiddleware(typeof(ValidationMiddleware<,>))]

namespace PostriderWeb;

/// <summary>Takes orders.</summary>
internal sealed class Orders
{
    private int _last;

    [Handler]
    public ValueTask<Receipt> Place(PlaceOrder order, CancellationToken ct)
        => new(new Receipt($"{Interlocked.Increment(ref _last)}", $"{order.Quantity} x {order.Item}"));

    /// <summary>What is wrong with an order: the response is then 400, with the errors of each member.</summary>
    public static IEnumerable<ValidationError> Validate(PlaceOrder order)
    {
        if (string.IsNullOrWhiteSpace(order.Item))
            yield return new ValidationError("item", "An order names an item.");
        if (order.Quantity is not (> 0 and <= 100))
            yield return new ValidationError("quantity", "An order has 1 to 100 pieces.");
    }
}
