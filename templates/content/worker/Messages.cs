using System.Text.Json.Serialization;
using Postrider;

namespace PostriderWorker;

/// <summary>An order was placed. The worker receives those that are published to "orders.placed".</summary>
public sealed partial record OrderPlaced(string Number, string Item) : INotification;

/// <summary>The types that are serialized.</summary>
// A member that is missing or null where the type does not allow it is an error, not a null in the handler.
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(OrderPlaced))]
public sealed partial class MessagesJson : JsonSerializerContext;
