using Postrider.Sagas;

namespace Postrider.Samples.Shop;

/// <summary>The way of one order: reserve, collect the money, close. Its row, and the messages that it sends, are one transaction.</summary>
[Saga]
public sealed class OrderSaga
{
    private const decimal Price = 4.5m;

    /// <summary>Where the order stands.</summary>
    public string Step { get; set; } = "";

    /// <summary>What it costs.</summary>
    public decimal Amount { get; set; }

    /// <summary>Begins.</summary>
    [StartsSaga]
    public void On(PlaceOrder message, SagaContext saga)
    {
        // The same order twice is one.
        if (!saga.IsNew)
            return;
        (Step, Amount) = ("reserving", message.Quantity * Price);
        saga.Send(new ReserveStock(message.Order, message.Item, message.Quantity));
    }

    /// <summary>Asks for the money, and waits for it until its patience ends.</summary>
    [Handler]
    public void On(StockReserved message, SagaContext saga, ShopSettings settings)
    {
        Step = "waiting for the payment";
        saga.Send(new CollectPayment(message.Order, Amount));
        saga.SetTimeout(new PaymentOverdue(message.Order), settings.Patience);
    }

    /// <summary>Ends well.</summary>
    [Handler]
    public void On(PaymentArrived message, SagaContext saga) => Close(saga, message.Order, "paid");

    /// <summary>Ends without the money.</summary>
    [SagaTimeout]
    public void On(PaymentOverdue message, SagaContext saga) => Close(saga, message.Order, "cancelled");

    private static void Close(SagaContext saga, string order, string outcome)
    {
        saga.Send(new OrderClosed(order, outcome));
        saga.Complete();
    }
}
