using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using JetStreamOptions = Postrider.Broker.JetStreamOptions;

namespace Postrider.SystemTests.Leafs;

/// <summary>The program of the guide "Edge and centre": it goes on while the centre is away, and the centre has everything when it is back.</summary>
public sealed class EdgeProgramTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider");
    private readonly CancellationTokenSource _limit = new(Limit);

    private CancellationToken Ct => _limit.Token;

    public void Dispose()
    {
        _limit.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Readings_are_kept_while_the_centre_is_away_and_reach_it_once_and_in_order()
    {
        var hub = await StartHubAsync(BrokerOptions.RandomPort);
        var port = hub.LeafNodeEndPoint!.Port;
        await using (var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = hub.Connector }, Ct))
        {
            var source = new StreamSource { Name = "READINGS", External = new ExternalStream { ApiPrefix = "$JS.edge.API" } };
            await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "ALL", Sources = [source] }, Ct);
        }
        using var edge = await StartEdgeAsync($"nats-leaf://127.0.0.1:{port.ToString(CultureInfo.InvariantCulture)}");
        await using var local = await NatsClient.ConnectAsync(new ClientOptions { Connector = edge.Services.GetRequiredService<BrokerService>().Broker.Connector }, Ct);
        var streams = local.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "READINGS", Subjects = ["readings.>"] }, Ct);
        await StoreAsync(streams, 0, 20);
        await AwaitAtCentreAsync(hub, 20);

        await hub.DisposeAsync();
        var nobody = await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await local.RequestAsync<string, string>("alarms", "fire", Limit, ct: Ct));
        await StoreAsync(streams, 20, 20);
        hub = await StartHubAsync(port);
        await StoreAsync(streams, 40, 20);

        Assert.Contains("alarms", nobody.Message, StringComparison.Ordinal);
        await AwaitAtCentreAsync(hub, 60);
        await hub.DisposeAsync();
        await edge.StopAsync(Ct);
    }

    private Task<NatsBroker> StartHubAsync(int port) => NatsBroker.StartAsync(
        new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            ServerName = "hub",
            JetStream = new JetStreamOptions { StoreDirectory = Path.Combine(_folder.FullName, "hub"), Domain = "hub" },
            LeafNodes = new LeafNodeOptions { Port = port },
        },
        Ct);

    private async Task<IHost> StartEdgeAsync(string hub)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.AddPostriderBroker(options =>
        {
            options.Port = BrokerOptions.RandomPort;
            options.JetStream = new JetStreamOptions { StoreDirectory = Path.Combine(_folder.FullName, "edge"), Domain = "edge" };
            options.Leaf(hub);
        });
        var host = builder.Build();
        await host.StartAsync(Ct);
        return host;
    }

    private async Task StoreAsync(JetStreamContext streams, int first, int count)
    {
        for (var i = first; i < first + count; i++) await streams.PublishAsync("readings.oven", $"{i}", ct: Ct);
    }

    private async Task AwaitAtCentreAsync(NatsBroker hub, int count)
    {
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = hub.Connector }, Ct);
        var all = await client.CreateJetStreamContext().GetStreamAsync("ALL", ct: Ct);
        await Eventually.HoldsAsync(async () => (await all.RefreshAsync(ct: Ct)).State.Messages >= (ulong)count, Limit, $"{count} readings at the centre");
        for (var i = 0; i < count; i++) Assert.Equal($"{i}", (await all.GetMessageAsync<string>((ulong)i + 1, ct: Ct))!.Data);
        Assert.Equal((ulong)count, (await all.RefreshAsync(ct: Ct)).State.Messages);
    }
}
