using System.Text.Json.Serialization;
using Postrider;

namespace PostriderWeb;

/// <summary>Places an order.</summary>
public sealed partial record PlaceOrder(string Item, int Quantity) : ICommand<Receipt>;

/// <summary>The response to the customer.</summary>
public sealed record Receipt(string Number, string Text);

/// <summary>The types that are serialized.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(Receipt))]
public sealed partial class MessagesJson : JsonSerializerContext;
