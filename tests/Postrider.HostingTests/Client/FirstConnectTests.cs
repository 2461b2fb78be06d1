using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.HostingTests.Dispatch;
using Postrider.Serialization;
using Postrider.Sockets;
using Postrider.Transport.Nats;

namespace Postrider.HostingTests.Client;

/// <summary>A host that starts before its broker.</summary>
public sealed class FirstConnectTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Start_waits_for_the_server_where_the_application_needs_it(bool provisions)
    {
        var clock = new FakeTimeProvider();
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Listen = false, JetStream = new() { StoreDirectory = Directory.CreateTempSubdirectory("first").FullName } }, Ct);
        var door = new Door(broker.Connector);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddPostriderClient(options =>
        {
            (options.Connector, options.TimeProvider, options.RetryFirstConnect) = (door, clock, true);
            options.ConnectTimeout = TimeSpan.FromDays(1);
        });
        if (provisions)
            builder.AddPostriderStreams(static needed => needed.Stream(new StreamConfig { Name = "WORK", Subjects = ["work.>"] }));
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(static _ => { });
        builder.Services.AddNatsStreamTransport("work", new JsonSerializerProvider(RoutesJson.Default))
            .Command<Remind>(new DurableBinding("work.remind") { Consumer = "desk" });
        using var host = builder.Build();

        var starting = host.StartAsync(Ct);
        clock.Advance(TimeSpan.FromHours(1));
        if (!provisions)
        {
            await using var other = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
            await other.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "WORK", Subjects = ["work.>"] }, Ct);
        }

        door.Open();
        await starting.WaitAsync(Ct);
        await host.StopAsync(Ct);
    }

    private sealed class Door(IConnector connector) : IConnector
    {
        private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Open() => _opened.SetResult();

        public async ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
        {
            await _opened.Task.WaitAsync(ct);
            return await connector.ConnectAsync(host, port, ct);
        }
    }
}
