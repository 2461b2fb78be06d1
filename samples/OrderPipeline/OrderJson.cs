using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>The types that are serialized.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(PackOrder))]
[JsonSerializable(typeof(OrderChanged))]
[JsonSerializable(typeof(OrderLost))]
[JsonSerializable(typeof(OrderState))]
public sealed partial class OrderJson : JsonSerializerContext;
