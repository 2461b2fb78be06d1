using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;

namespace Postrider.HostingTests.Broker;

/// <summary>A broker and its clients in one host.</summary>
public sealed class BrokerHostTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Clients_connect_to_the_broker_of_their_host_in_any_order(bool brokerFirst)
    {
        var port = FreePort.Find();
        using var host = Build(builder =>
        {
            if (brokerFirst)
                AddBroker(builder, port);
            builder.AddPostriderClient(options => options.Servers = [$"nats://127.0.0.1:{port}"]);
            builder.AddPostriderStreams(static needed => needed.Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }));
            builder.Services.AddHostedService<FarewellService>();
            if (!brokerFirst)
                AddBroker(builder, port);
        });
        await host.StartAsync(Ct);
        var client = host.Services.GetRequiredService<NatsClient>();
        var broker = host.Services.GetRequiredService<BrokerService>();

        Assert.Equal(ConnectionState.Connected, client.State);
        Assert.Equal("ORDERS", (await client.CreateJetStreamContext().GetStreamAsync("ORDERS", ct: Ct)).Name);

        // The services stop first, then the clients, then the broker.
        await host.StopAsync(Ct);
        Assert.True(FarewellOf(host).WasStored);
        Assert.Equal(ConnectionState.Closed, client.State);
        Assert.Null(broker.Running);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Clients_reach_a_broker_without_a_port_through_its_connector(bool concurrently)
    {
        using var host = Build(builder =>
        {
            builder.Services.Configure<HostOptions>(options => options.ServicesStartConcurrently = options.ServicesStopConcurrently = concurrently);
            builder.AddPostriderClient("desk", static (services, options) => options.Connector = services.GetRequiredService<BrokerService>().Connector);
            builder.AddPostriderClient(static (services, options) => options.Connector = services.GetRequiredService<BrokerService>().Connector);
            builder.AddPostriderBroker(static options => options.Listen = false);
        });
        await host.StartAsync(Ct);
        var desk = host.Services.GetRequiredKeyedService<NatsClient>("desk");
        await using var reading = desk.Subscribe<string>("news");
        await desk.FlushAsync(Ct);

        await host.Services.GetRequiredService<NatsClient>().PublishAsync("news", "rain", ct: Ct);

        await foreach (var message in reading.WithCancellation(Ct))
        {
            Assert.Equal("rain", message.Data);
            break;
        }

        Assert.Null(host.Services.GetRequiredService<BrokerService>().Broker.Url);
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Client_without_a_server_uses_the_broker_of_its_host(bool listens)
    {
        using var host = Build(builder =>
        {
            builder.AddPostriderClient();
            builder.AddPostriderBroker(options => (options.Listen, options.Port) = (listens, BrokerOptions.RandomPort));
        });

        await host.StartAsync(Ct);

        Assert.Equal(ConnectionState.Connected, host.Services.GetRequiredService<NatsClient>().State);
        Assert.Single(host.Services.GetRequiredService<BrokerService>().Broker.State.OpenConnections(withSubscriptions: false));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Client_with_a_server_uses_it_although_its_host_has_a_broker()
    {
        await using var other = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        using var host = Build(builder =>
        {
            builder.AddPostriderClient(options => options.Servers = [other.Url!]);
            builder.AddPostriderBroker(static options => options.Listen = false);
        });

        await host.StartAsync(Ct);

        Assert.Single(other.State.OpenConnections(withSubscriptions: false));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Broker_of_a_host_that_failed_to_start_stops_with_it()
    {
        var port = FreePort.Find();
        BrokerService broker;
        using (var host = Build(builder =>
        {
            AddBroker(builder, port);
            builder.Services.AddHostedService<FailingService>();
        }))
        {
            await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct));
            broker = host.Services.GetRequiredService<BrokerService>();
            Assert.NotNull(broker.Running);
        }

        Assert.Null(broker.Running);
        await using var next = await NatsBroker.StartAsync(new BrokerOptions { Port = port }, Ct);
        Assert.Equal(port, next.EndPoint?.Port);
    }

    [Fact]
    public async Task Broker_has_the_options_of_a_configuration_section()
    {
        var folder = Directory.CreateTempSubdirectory("section").FullName;
        using var host = Build(builder =>
        {
            builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal)
            {
                ["Postrider:Broker:Host"] = "127.0.0.1",
                ["Postrider:Broker:Port"] = $"{BrokerOptions.RandomPort}",
                ["Postrider:Broker:ServerName"] = "desk",
                ["Postrider:Broker:JetStream:StoreDirectory"] = folder,
            });
            builder.AddPostriderBroker(builder.Configuration.GetSection("Postrider:Broker"), static options => options.MaxPayloadBytes = 1000);
        });

        await AssertAsync(host, folder);
    }

    [Fact]
    public async Task Broker_has_the_options_of_a_file_in_the_format_of_nats_server()
    {
        var folder = Directory.CreateTempSubdirectory("file").FullName;
        var file = Path.Combine(folder, "broker.conf");
        await File.WriteAllTextAsync(file, $$"""
            listen: "127.0.0.1:-1"
            server_name: desk
            max_payload: 1000
            jetstream { store_dir: "{{folder}}" }
            """, Ct);
        using var host = Build(builder => builder.AddPostriderBroker(file));

        await AssertAsync(host, folder);
    }

    [Fact]
    public void Broker_is_not_there_before_the_start()
    {
        using var host = Build(static builder => builder.AddPostriderBroker());
        var broker = host.Services.GetRequiredService<BrokerService>();

        Assert.Null(broker.Running);
        Assert.Equal("The broker starts with the host, and the host has not started.", Assert.Throws<InvalidOperationException>(() => broker.Broker).Message);
    }

    private static async Task AssertAsync(IHost host, string folder)
    {
        await host.StartAsync(Ct);
        var broker = host.Services.GetRequiredService<BrokerService>().Broker;
        await using var client = await NatsClient.ConnectAsync(broker.Url!, ct: Ct);
        Assert.Equal(("desk", 1000), (client.ServerInfo!.ServerName, client.ServerInfo.MaxPayload));
        await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        Assert.NotEmpty(Directory.GetDirectories(folder, "ORDERS", SearchOption.AllDirectories));
        await host.StopAsync(Ct);
    }

    private static void AddBroker(HostApplicationBuilder builder, int port)
        => builder.AddPostriderBroker(options => (options.Port, options.JetStream) = (port, new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("host").FullName }));

    private static IHost Build(Action<HostApplicationBuilder> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddLogging();
        configure(builder);
        return builder.Build();
    }

    private static FarewellService FarewellOf(IHost host) => host.Services.GetServices<IHostedService>().OfType<FarewellService>().Single();

    /// <summary>Stores a message when the host stops.</summary>
    private sealed class FarewellService(NatsClient client) : IHostedService
    {
        public bool WasStored { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public async Task StopAsync(CancellationToken cancellationToken)
            => WasStored = (await client.CreateJetStreamContext().PublishAsync("orders.last", "farewell", ct: cancellationToken)).Sequence == 1;
    }

    private sealed class FailingService : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken) => throw new InvalidOperationException("This service never starts.");

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
