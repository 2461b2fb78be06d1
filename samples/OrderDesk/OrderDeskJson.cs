using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderDesk;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(Receipt))]
[JsonSerializable(typeof(CountOrders))]
[JsonSerializable(typeof(OrderCount))]
[JsonSerializable(typeof(OrderPlaced))]
internal sealed partial class OrderDeskJson : JsonSerializerContext;
