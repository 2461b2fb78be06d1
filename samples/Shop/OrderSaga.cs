using Postrider.Sagas;

namespace Postrider.Samples.Shop;

/// <summary>The process of one order: reserve, collect the money, close. Its row and its messages are written in one transaction.</summary>
[Saga]
public sealed class OrderSaga
{
    private const decimal Price = 4.5m;

    /// <summary>The state of the order.</summary>
    public string Step { get; set; } = "";

    /// <summary>Its price.</summary>
    public decimal Amount { get; set; }

    /// <summary>Starts the saga.</summary>
    [StartsSaga]
    public void On(PlaceOrder message, SagaContext saga)
    {
        // A repeated order is ignored.
        if (!saga.IsNew)
            return;
        (Step, Amount) = ("reserving", message.Quantity * Price);
        saga.Send(new ReserveStock(message.Order, message.Item, message.Quantity));
    }

    /// <summary>Requests the money, and waits for it until the timeout.</summary>
    [Handler]
    public void On(StockReserved message, SagaContext saga, ShopSettings settings)
    {
        Step = "waiting for the payment";
        saga.Send(new CollectPayment(message.Order, Amount));
        saga.SetTimeout(new PaymentOverdue(message.Order), settings.Patience);
    }

    /// <summary>Ends with the payment.</summary>
    [Handler]
    public void On(PaymentArrived message, SagaContext saga) => Close(saga, message.Order, "paid");

    /// <summary>Ends without the payment.</summary>
    [SagaTimeout]
    public void On(PaymentOverdue message, SagaContext saga) => Close(saga, message.Order, "cancelled");

    private static void Close(SagaContext saga, string order, string outcome)
    {
        saga.Send(new OrderClosed(order, outcome));
        saga.Complete();
    }
}
