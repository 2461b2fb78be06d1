using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using OrderDesk;
using Postrider;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

var services = new ServiceCollection();
services.AddSingleton<Ledger>();
services.AddPostrider();
await using var provider = services.BuildServiceProvider(validateScopes: true);

var dispatcher = provider.GetRequiredService<IDispatcher>();
var receipt = await dispatcher.SendAsync(new PlaceOrder("tea", 2));
Console.WriteLine($"receipt {receipt.Number}: {receipt.Text}");
Console.WriteLine($"orders: {await dispatcher.SendAsync(new CountOrders())}");

// The same handlers behind a transport: bytes in, bytes out.
await using var transport = new InMemoryTransport();
var serializers = new JsonSerializerProvider(OrdersJson.Default);
await using var pump = new MessagePump(transport, serializers, provider)
    .Request<PlaceOrder, Receipt>(new TransportBinding("orders.place") { Group = "desk" });
await pump.StartAsync();

var answer = await transport.RequestAsync(
    new Envelope { Destination = "orders.place", Body = """{"item":"rope","quantity":3}"""u8.ToArray() }, default);
Console.WriteLine($"over the wire: {System.Text.Encoding.UTF8.GetString(answer.Body.Span)}");

var refused = await transport.RequestAsync(
    new Envelope { Destination = "orders.place", Body = """{"item":"rope","quantity":0}"""u8.ToArray() }, default);
Console.WriteLine($"refused: {refused.Headers[HeaderNames.ErrorCode]}");

[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(Receipt))]
internal sealed partial class OrdersJson : JsonSerializerContext;
