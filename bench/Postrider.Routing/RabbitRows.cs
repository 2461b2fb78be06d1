using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.Routing;

/// <summary>Events that are sent at once through quorum queues of one RabbitMQ server: published to handled.</summary>
internal static class RabbitRows
{
    private const string Peer = "MassTransit.RabbitMQ";

    public static async Task RunAsync(TurnTaking turns, TurnReport report, bool quick)
    {
        var count = quick ? 200 : PostRows.Many;
        await using var server = await RabbitServer.StartAsync();
        if (server is null)
        {
            Console.WriteLine("RabbitMQ: no row; POSTRIDER_RABBITMQ names no server.");
            return;
        }

        await using var transport = new RabbitMqTransport(new RabbitMqOptions { Server = new Uri($"amqp://guest:guest@127.0.0.1:{server.Port}/") });
        var json = new JsonSerializerProvider(RoutingJson.Default);
        await using var far = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(transport, json, far).Notification<Arrived>(new RabbitMqBinding("bench.ours") { MaxConcurrency = 16 });
        await pump.StartAsync();
        await using var near = new ServiceCollection().AddPostrider(options => options.RouteNotification<Arrived>(_ => transport, json, "bench.ours")).BuildServiceProvider();
        var dispatcher = near.GetRequiredService<IDispatcher>();

        await using var consumers = new ServiceCollection().AddLogging()
            .AddMassTransit(bus =>
            {
                bus.AddConsumer<FreightConsumer>();
                bus.UsingRabbitMq((context, rabbit) =>
                {
                    rabbit.Host("127.0.0.1", (ushort)server.Port, "/", static host =>
                    {
                        host.Username("guest");
                        host.Password("guest");
                    });
                    rabbit.ReceiveEndpoint("bench.masstransit", endpoint =>
                    {
                        endpoint.SetQuorumQueue();
                        endpoint.PrefetchCount = 32;
                        endpoint.ConcurrentMessageLimit = 16;
                        endpoint.ConfigureConsumer<FreightConsumer>(context);
                    });
                });
            }).BuildServiceProvider();
        var bus = consumers.GetRequiredService<IBusControl>();
        await bus.StartAsync(CancellationToken.None);

        await using var floor = await BareRabbit.StartAsync(server.Port);
        var bare = new RateTurn("bare: the client", count, () => MemoryRows.AllAsync(count, floor.PublishAsync));
        var (ours, theirs) = (
            new RateTurn(Turn.Ours, count, () => MemoryRows.AllAsync(count, i => dispatcher.PublishAsync(new Arrived(i, "tea")))),
            new RateTurn(Peer, count, () => MemoryRows.AllAsync(count, i => new(bus.Publish(new Freight(i, "tea"))))));
        // Each round writes to the disk: a warm-up of the other rows' length would take minutes.
        var cells = await (turns with { Rounds = Math.Min(turns.Rounds, 5), Phase = TimeSpan.FromMilliseconds(1) }).TakeAsync("RabbitMQ, quorum queues", [ours, theirs, bare]);
        report.Add(cells, cell =>
        [
            .. RoutingTargets.Of(cell, cells, Peer, 0.5),
            new TurnTarget("CPU of " + Peer, ours.CpuMicroseconds / theirs.CpuMicroseconds, 0.3),
            new TurnTarget("CPU of the client alone", ours.CpuMicroseconds / bare.CpuMicroseconds, 1.2),
            new TurnTarget("B of " + Peer, cell.Bytes / cells[1].Bytes, 0.3),
        ]);
        await bus.StopAsync(CancellationToken.None);
    }

    /// <summary>MassTransit sends it.</summary>
    public sealed record Freight(int Number, string Item);

    private sealed class FreightConsumer : IConsumer<Freight>
    {
        public Task Consume(ConsumeContext<Freight> context)
        {
            Arrivals.Hit();
            return Task.CompletedTask;
        }
    }
}
