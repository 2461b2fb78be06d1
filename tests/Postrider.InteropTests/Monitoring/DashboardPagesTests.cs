using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.Samples.OrderDesk;
using Postrider.Sockets;

namespace Postrider.InteropTests.Monitoring;

/// <summary>Every page of the dashboard in Debian's chromium, and a crowd.</summary>
public sealed class DashboardPagesTests : IDisposable
{
    private const int Crowd = 10_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-pages-");

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Every_page_is_readable_light_and_dark_wide_and_narrow_and_by_keyboard()
    {
        var options = new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort },
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.FullName },
        };
        await using var desk = await Desk.StartAsync(options, NullLoggerFactory.Instance, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [desk.Url], Name = "till" }, Ct);
        foreach (var item in new[] { "tea", "glass", "unicorn" })
            await client.RequestAsync<byte[], byte[]>("orders.place", Encoding.UTF8.GetBytes($$"""{"item":"{{item}}","quantity":2}"""), ct: Ct);

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "dashboard-pages.mjs"), $"{desk.MonitoringUrl}/dashboard/", Environment.GetEnvironmentVariable("POSTRIDER_PICTURES") ?? "");

        Assert.Equal(
            """
            tab to Sign in: true
            pages by keyboard: true true true true true true true true true
            a stream by keyboard: true
            a message by keyboard: true
            handlers: CountOrders OrderChanged OrderLost OrderPlaced PackOrder PlaceOrder
            routes: CountOrders to this process, OrderChanged to this process, OrderLost to this process, OrderPlaced to orders.placed, PackOrder to this process, PlaceOrder to this process
            why: Every notification Postrider.Samples.OrderDesk.OrderPlaced is sent to 'orders.placed', by RouteNotification. This container has no handler for it; one that arrives through a binding is passed on along the route.
            light 1400 fits: true
            light 360 fits: true
            dark 1400 fits: true
            dark 360 fits: true
            violations: 0
            faults: none
            """.ReplaceLineEndings("\n"),
            story);
    }

    [Fact]
    public async Task Ten_thousand_connections_are_listed_sorted_and_searched()
    {
        var pages = new HttpMonitoring();
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort } }, [pages], Ct);
        var greeted = new CountdownEvent(Crowd);
        var crowd = new List<Connection>();
        for (var i = 0; i < Crowd; i++)
        {
            var connection = await broker.Connector.ConnectAsync("", 0, Ct);
            connection.Start(new Member(greeted));
            connection.Outbox.Send(Encoding.ASCII.GetBytes($"CONNECT {{\"verbose\":false,\"name\":\"client-{i:0000}\"}}\r\nPING\r\n"));
            crowd.Add(connection);
        }

        greeted.Wait(Ct);

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "dashboard-crowd.mjs"), $"http://{pages.EndPoint}/dashboard/");

        foreach (var connection in crowd) connection.Close();
        Assert.Equal(
            """
            1 to 200 of 10000 | rows: 200
            201 to 400 of 10000
            1 to 200 of 1000 that match
            last by name: client-0999
            1 to 1 of 1 that match | client-9998
            0 to 0 of 0 that match | updates are polled every 2 s
            """.ReplaceLineEndings("\n"),
            story);
    }

    [Fact]
    public async Task Server_of_a_cluster_says_whose_connections_and_subscriptions_it_shows()
    {
        var (lonely, pages) = (new HttpMonitoring(), new HttpMonitoring());
        await using var alone = await NatsBroker.StartAsync(Member("alone", routes: []), [lonely], Ct);
        await using var first = await NatsBroker.StartAsync(Member("first", routes: []), [], Ct);
        await using var second = await NatsBroker.StartAsync(Member("second", [$"nats-route://{first.ClusterEndPoint}"]), [pages], Ct);
        await Eventually.HoldsAsync(() => second.State.Routes(withSubscriptions: false).Any());

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "dashboard-cluster.mjs"), $"http://{pages.EndPoint}/dashboard/");
        var own = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "dashboard-cluster.mjs"), $"http://{lonely.EndPoint}/dashboard/");

        Assert.Equal("Connections, subscriptions, accounts and rates are those of this server, second. The other servers of the cluster shop have pages of their own.", story);
        Assert.Equal("one server", own);

        static BrokerOptions Member(string name, string[] routes) => new()
        {
            ServerName = name,
            Port = BrokerOptions.RandomPort,
            Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort },
            Cluster = new ClusterOptions { Name = "shop", Port = BrokerOptions.RandomPort, Routes = routes },
        };
    }

    // A client that has said hello and says no more.
    private sealed class Member(CountdownEvent greeted) : IReceiver
    {
        private bool _isGreeted;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            if (!_isGreeted && input.IndexOf("PONG"u8) >= 0)
            {
                _isGreeted = true;
                greeted.Signal();
            }

            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
        }
    }
}
