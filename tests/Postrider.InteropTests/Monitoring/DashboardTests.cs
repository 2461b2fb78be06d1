using System.Net;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Monitoring;

/// <summary>The dashboard in Debian's chromium.</summary>
public sealed class DashboardTests : IAsyncLifetime
{
    private const string BasePath = "watch/here";
    private const string Hostile = "<img src=x onerror=hack()>";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-dashboard-");
    private readonly List<NatsClient> _clients = [];
    private int _port = BrokerOptions.RandomPort;
    private HttpMonitoring _monitoring = null!;
    private NatsBroker _broker = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        await StartAsync();
        foreach (var name in new[] { "desk", Hostile, "archive" })
            _clients.Add(await NatsClient.ConnectAsync(new ClientOptions { Servers = [_broker.Url!], Name = name, MaxReconnectAttempts = 0 }, Ct));
        var context = _clients[0].CreateJetStreamContext();
        foreach (var name in new[] { "EMPTY", "ORDERS" })
            await context.CreateStreamAsync(new StreamConfig { Name = name, Subjects = [$"{name}.>"] }, Ct);
        for (var i = 0; i < 12; i++)
            await context.PublishAsync($"ORDERS.{i}", i, ct: Ct);
        var consumer = await (await context.GetStreamAsync("ORDERS", ct: Ct)).CreateConsumerAsync(new ConsumerConfig { DurableName = "billing" }, Ct);
        await foreach (var _ in consumer.FetchAsync<int>(3, ct: Ct))
        {
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var client in _clients)
            await client.DisposeAsync();
        await _broker.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Page_shows_the_broker_and_bears_its_restart()
    {
        var heard = new List<string>();
        await using (var teller = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "dashboard.mjs"), Address("dashboard/").AbsoluteUri, Environment.GetEnvironmentVariable("POSTRIDER_PICTURES") ?? ""))
        {
            while (await teller.NextLineOrEndAsync() is { } line)
            {
                if (line == "ask: stop")
                    await _broker.DisposeAsync();
                else if (line == "ask: start")
                    await StartAsync();
                else
                {
                    heard.Add(line);
                    continue;
                }

                await teller.TellAsync("done");
            }

            await teller.ToEndAsync();
        }

        Assert.Equal(
            """
            Postrider · overview | ok | 3 | 0 | requests for the second reading: 0
            first stop: Skip to the content
            Postrider · connections | Connections | 1 to 3 of 3
            by name: <img src=x onerror=hack()> | archive
            filtered: <img src=x onerror=hack()> | images made: 0
            ORDERS | 12 messages | 9 behind
            Consumers of ORDERS | billing | 9 | 3
            accounts: $G $SYS
            light 360 px: true true true true | contrast: true
            dark 360 px: true true true true | contrast: true
            told: true | still shown: 12
            again: ok | updates are pushed
            faults: none
            """.ReplaceLineEndings("\n"),
            string.Join('\n', heard));
    }

    [Fact]
    public async Task Address_without_the_last_slash_leads_there()
    {
        using var http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });

        using var moved = await http.GetAsync(Address("dashboard"), Ct);
        using var page = await http.GetAsync(new Uri(Address("dashboard"), moved.Headers.Location!), Ct);

        Assert.Equal(HttpStatusCode.MovedPermanently, moved.StatusCode);
        Assert.Equal((HttpStatusCode.OK, "text/html"), (page.StatusCode, page.Content.Headers.ContentType?.MediaType));
        Assert.StartsWith("default-src 'none'; script-src 'self';", Assert.Single(page.Headers.GetValues("Content-Security-Policy")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("dashboard/dashboard.js", HttpStatusCode.OK)]
    [InlineData("dashboard/dashboard.css", HttpStatusCode.OK)]
    [InlineData("dashboard/nothing", HttpStatusCode.NotFound)]
    [InlineData("dashboard/index.html", HttpStatusCode.NotFound)]
    [InlineData("dashboard/..%2fdashboard.js", HttpStatusCode.NotFound)]
    [InlineData("dashboardx", HttpStatusCode.NotFound)]
    public async Task Only_its_own_files_are_there(string path, HttpStatusCode status)
    {
        using var http = new HttpClient();

        using var answer = await http.GetAsync(Address(path), Ct);

        Assert.Equal(status, answer.StatusCode);
    }

    private Uri Address(string path) => new($"http://{_monitoring.EndPoint}/{BasePath}/{path}");

    private async Task StartAsync()
    {
        _monitoring = new HttpMonitoring();
        _broker = await NatsBroker.StartAsync(
            new BrokerOptions
            {
                Port = BrokerOptions.RandomPort,
                Monitoring = new() { Host = "127.0.0.1", Port = _port, BasePath = BasePath },
                JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.FullName },
            },
            [_monitoring],
            Ct);
        _port = _monitoring.EndPoint!.Port;
    }
}
