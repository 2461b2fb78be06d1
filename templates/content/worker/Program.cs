using Postrider;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using PostriderWorker;

var builder = Host.CreateApplicationBuilder(args);
var json = new JsonSerializerProvider(MessagesJson.Default);

// The server's address is Postrider:Client:Servers in appsettings.json.
builder.AddPostriderClient();
builder.AddPostriderStreams(needed => needed
    .Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] })
    .Stream(new StreamConfig { Name = "ORDERS_LOST", Subjects = ["lost.orders.>"] }));

// Handlers are found at compile time; the stream delivers the messages, with five attempts each.
builder.Services.AddPostrider(options => options.ValidateOnStart = true);
builder.Services.AddNatsTransport("orders", json)
    .Notification<OrderPlaced>(new DurableBinding("orders.placed") { Consumer = "packing", DeadLetter = "lost.orders.placed" });

await builder.Build().RunAsync();
