using System.Text.Json.Serialization;
using Postrider.Sagas;
using Postrider.Serialization;

namespace Postrider.Samples.Shop;

/// <summary>Orders something: the body of <c>POST /orders</c>.</summary>
public sealed partial record PlaceOrder([property: SagaId] string Order, string Item, int Quantity) : ICommand;

/// <summary>Asks the stock to put something aside.</summary>
public sealed partial record ReserveStock(string Order, string Item, int Quantity) : ICommand;

/// <summary>Something was put aside.</summary>
public sealed partial record StockReserved([property: SagaId] string Order) : INotification;

/// <summary>Asks the payments to collect money.</summary>
public sealed partial record CollectPayment(string Order, decimal Amount) : ICommand;

/// <summary>The money is there.</summary>
public sealed partial record PaymentArrived([property: SagaId] string Order) : INotification;

/// <summary>The order's own alarm clock.</summary>
public sealed partial record PaymentOverdue([property: SagaId] string Order) : ICommand;

/// <summary>The order has ended, well or not.</summary>
public sealed partial record OrderClosed(string Order, string Outcome) : INotification;

/// <summary>Where an order stands: the answer of <c>GET /orders/{order}</c>.</summary>
public sealed record OrderStatus(string Order, string Step);

/// <summary>A message that was given up: an element of <c>GET /dead-letters</c>.</summary>
public sealed record DeadLetterView(string Id, string? Origin, string? Reason, string? Error, string Body);

/// <summary>The number of messages that were sent back: the answer of <c>POST /dead-letters/redrive</c>.</summary>
public sealed record Redriven(long Count);

[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(ReserveStock))]
[JsonSerializable(typeof(StockReserved))]
[JsonSerializable(typeof(CollectPayment))]
[JsonSerializable(typeof(PaymentArrived))]
[JsonSerializable(typeof(PaymentOverdue))]
[JsonSerializable(typeof(OrderClosed))]
[JsonSerializable(typeof(OrderSaga))]
[JsonSerializable(typeof(OrderStatus))]
[JsonSerializable(typeof(List<DeadLetterView>))]
[JsonSerializable(typeof(Redriven))]
public sealed partial class ShopJson : JsonSerializerContext
{
    /// <summary>The format of all messages.</summary>
    public static ISerializerProvider Provider => new JsonSerializerProvider(Default);
}
