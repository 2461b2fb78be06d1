using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using Postrider.Middleware;
using Postrider.Sagas;
using Postrider.Serialization;

[assembly: Postrider.UseMiddleware(typeof(ValidationMiddleware<,>))]

namespace Postrider.Samples.Shop;

/// <summary>Places an order: the body of <c>POST /orders</c>.</summary>
public sealed partial record PlaceOrder([property: SagaId, Required] string Order, [property: Required] string Item, [property: Range(1, 10_000)] int Quantity) : ICommand;

/// <summary>Asks the stock to reserve something.</summary>
public sealed partial record ReserveStock(string Order, string Item, int Quantity) : ICommand;

/// <summary>Something was reserved.</summary>
public sealed partial record StockReserved([property: SagaId] string Order) : INotification;

/// <summary>Asks the payments to collect money.</summary>
public sealed partial record CollectPayment(string Order, decimal Amount) : ICommand;

/// <summary>The money was received.</summary>
public sealed partial record PaymentArrived([property: SagaId] string Order) : INotification;

/// <summary>The timeout of the order.</summary>
public sealed partial record PaymentOverdue([property: SagaId] string Order) : ICommand;

/// <summary>The order has ended, successfully or not.</summary>
public sealed partial record OrderClosed(string Order, string Outcome) : INotification;

/// <summary>The state of an order: the response of <c>GET /orders/{order}</c>.</summary>
public sealed record OrderStatus(string Order, string Step);

/// <summary>A message that could not be handled: an element of <c>GET /dead-letters</c>.</summary>
public sealed record DeadLetterView(string Id, string? Origin, string? Reason, string? Error, string Body);

/// <summary>The number of messages that were sent back: the response of <c>POST /dead-letters/redrive</c>.</summary>
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
