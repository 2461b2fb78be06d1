using System.Text.Json.Serialization;

namespace Postrider.InteropTests.Client;

public sealed record Order(string Item, int Count);

[JsonSerializable(typeof(Order))]
public sealed partial class OrderContext : JsonSerializerContext;
