using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using PostriderWorker;

var builder = Host.CreateApplicationBuilder(args);
var json = new JsonSerializerProvider(options: MessagesJson.Default.Options);

// The server's address is Postrider:Client:Servers in appsettings.json.
builder.AddPostriderClient();
builder.AddPostriderStreams(needed => needed
    .Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] })
    .Stream(new StreamConfig { Name = "ORDERS_LOST", Subjects = ["lost.orders.>"] }));

// Handlers are found at compile time; the stream delivers the messages, with five attempts each.
builder.Services.AddPostrider(options => options.ValidateOnStart = true);
builder.Services.AddNatsTransport("orders", json)
    .Notification<OrderPlaced>(new DurableBinding("orders.placed") { Consumer = "packing", DeadLetter = "lost.orders.placed" });

// Handlers, routes and dead letters on the broker's dashboard.
builder.Services.AddPostriderDashboardServices("PostriderWorker");

// A probe without HTTP: a file that exists while the worker is connected.
if (builder.Configuration["Health:File"] is { } file)
{
    builder.Services.AddHealthChecks().AddPostriderClient();
    builder.Services.Configure<HealthCheckPublisherOptions>(static options => (options.Delay, options.Period) = (TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(10)));
    builder.Services.AddSingleton<IHealthCheckPublisher>(new HealthFile(file));
}

await builder.Build().RunAsync();
