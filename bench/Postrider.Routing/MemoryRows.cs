using System.Runtime.CompilerServices;
using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Serialization;
using Postrider.Transports;
using Rebus.Activation;
using Rebus.Config;
using Rebus.Handlers;
using Rebus.Logging;
using Rebus.Transport.InMem;

namespace Postrider.Routing;

/// <summary>Messages as JSON through each library's transport in memory: sent to handled.</summary>
internal static class MemoryRows
{
    private const string MassTransit = "MassTransit, publish";
    private const int Many = PostRows.Many;

    public static async Task RunAsync(TurnTaking turns, TurnReport report)
    {
        await using var transport = new InMemoryTransport();
        var json = new JsonSerializerProvider(RoutingJson.Default);
        await using var far = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(transport, json, far).Notification<Arrived>(new TransportBinding("arrived"));
        await pump.StartAsync();
        await using var near = new ServiceCollection().AddPostrider(options => options.RouteNotification<Arrived>(_ => transport, json, "arrived")).BuildServiceProvider();
        var dispatcher = near.GetRequiredService<IDispatcher>();

        await using var consumers = new ServiceCollection().AddLogging()
            .AddMassTransit(static bus =>
            {
                bus.AddConsumer<CarriedConsumer>();
                bus.UsingInMemory(static (context, memory) => memory.ConfigureEndpoints(context));
            }).BuildServiceProvider();
        var bus = consumers.GetRequiredService<IBusControl>();
        await bus.StartAsync(CancellationToken.None);
        var sending = await bus.GetSendEndpoint(new Uri("queue:Carried"));

        using var activator = new BuiltinHandlerActivator();
        activator.Register(static () => new RebusHandler());
        var rebus = Configure.With(activator).Logging(static logging => logging.None())
            .Transport(static t => t.UseInMemoryTransport(new InMemNetwork(), "arrived"))
            .Options(static options => options.SetNumberOfWorkers(1))
            .Start();

        foreach (var (row, count, ratio, bytes) in new[] { ("memory, JSON, one", 1, 0.12, 1024.0), ("memory, JSON, 1,000", Many, 0.08, 800.0) })
        {
            List<Turn> subjects =
            [
                new SingleTurn(Turn.Ours, () => AllAsync(count, i => dispatcher.PublishAsync(new Arrived(i, "tea")))),
                new SingleTurn(MassTransit, () => AllAsync(count, i => new(bus.Publish(new Carried(i, "tea"))))),
                new SingleTurn("MassTransit, send", () => AllAsync(count, i => new(sending.Send(new Carried(i, "tea"))))),
                new SingleTurn("Rebus", () => AllAsync(count, i => new(rebus.SendLocal(new Carried(i, "tea"))))),
            ];
            var cells = await turns.TakeAsync(row, subjects);
            report.Add(cells, ours => [.. RoutingTargets.Of(ours, cells, MassTransit, ratio), RoutingTargets.Bytes(ours, count, bytes)]);
        }

        await bus.StopAsync(CancellationToken.None);
    }

    /// <summary>Sends so many at once and waits until all are handled.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public static async ValueTask AllAsync(int count, Func<int, ValueTask> send)
    {
        var handled = Arrivals.Expect(count);
        if (count == 1)
        {
            await send(0);
        }
        else
        {
            var sending = new ValueTask[count];
            for (var i = 0; i < count; i++)
                sending[i] = send(i);
            foreach (var sent in sending)
                await sent;
        }

        await handled;
    }

    /// <summary>MassTransit and Rebus send it.</summary>
    public sealed record Carried(int Number, string Item);

    private sealed class CarriedConsumer : IConsumer<Carried>
    {
        public Task Consume(ConsumeContext<Carried> context)
        {
            Arrivals.Hit();
            return Task.CompletedTask;
        }
    }

    private sealed class RebusHandler : IHandleMessages<Carried>
    {
        public Task Handle(Carried message)
        {
            Arrivals.Hit();
            return Task.CompletedTask;
        }
    }
}
