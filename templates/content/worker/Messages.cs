using System.Text.Json.Serialization;
using Postrider;

namespace PostriderWorker;

/// <summary>An order was placed. Whoever publishes it on "orders.placed" is heard here.</summary>
public sealed partial record OrderPlaced(string Number, string Item) : INotification;

/// <summary>What crosses the wire.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(OrderPlaced))]
public sealed partial class MessagesJson : JsonSerializerContext;
