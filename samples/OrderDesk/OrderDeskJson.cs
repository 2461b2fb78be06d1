using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderDesk;

// A misspelt member is an error, not a 0 in the handler.
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, RespectRequiredConstructorParameters = true, RespectNullableAnnotations = true)]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(Receipt))]
[JsonSerializable(typeof(CountOrders))]
[JsonSerializable(typeof(OrderCount))]
[JsonSerializable(typeof(OrderPlaced))]
internal sealed partial class OrderDeskJson : JsonSerializerContext;
