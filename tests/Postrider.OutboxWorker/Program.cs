using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Npgsql;
using Postrider;
using Postrider.Client;
using Postrider.Outbox;
using Postrider.OutboxWorker;
using Postrider.Serialization;
using Postrider.Transports;

// OutboxWorker ROLE DATABASE BROKER FIRST: a process that writes and relays, one that only relays, one that consumes, or one with sagas in
// JetStream; until it is killed. BROKER is the URL of NATS or of RabbitMQ; the numbers of a writer begin with FIRST.
var (role, database, broker, first) = (args[0], args[1], args[2], long.Parse(args[3], System.Globalization.CultureInfo.InvariantCulture));
if (role == "saga")
{
    await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [broker] });
    await SagaWorker.RunAsync(client);
    return;
}

await using var source = NpgsqlDataSource.Create(database);
var json = new JsonSerializerProvider(WorkJson.Default);
var builder = Host.CreateEmptyApplicationBuilder(null);
builder.Services.AddPostrider(options => options.Route<Work, Unit>("outbox", json, "work"));
var wire = await Wire.OpenAsync(broker);
var transport = builder.Services.AddPostriderTransport("stream", _ => wire.Transport, json);
if (role == "consume")
    transport.UseInbox("worker").Command<Work>(wire.Binding with { MaxConcurrency = 4, Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 100, BaseDelay = TimeSpan.FromMilliseconds(20) } });
builder.Services.AddPostriderOutbox(options => options.Relay = role != "consume")
    .UseDataSource(_ => source, OutboxDatabase.PostgreSql).AddTransport("outbox", over: "stream");
using var host = builder.Build();
await host.StartAsync();
Console.WriteLine("ready");
if (role != "write")
    await Task.Delay(Timeout.Infinite);

// Each transaction: a row that says what was written, and the message.
for (var number = first; ; number++)
{
    await using var scope = host.Services.CreateAsyncScope();
    var session = scope.ServiceProvider.GetRequiredService<OutboxSession>();
    await session.BeginAsync();
    await WorkHandlers.InsertAsync(session, "orders", number, default);
    await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new Work(number));
    await session.CommitAsync();
}
