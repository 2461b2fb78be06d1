using System.Text.Json;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.InteropTests.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Monitoring;

/// <summary>The monitoring pages beside those of Go's nats-server, after the same traffic.</summary>
public sealed class PagesTests : IAsyncLifetime
{
    // What Go's server does not show.
    private const string Added = "/postrider_version";

    private const string Configuration = "http: \"127.0.0.1:-1\"\nserver_tags: [\"a:b\"]\nserver_metadata { k: v }";

    private readonly HttpClient _http = new();
    private readonly HttpMonitoring _monitoring = new();
    private readonly List<NatsClient> _clients = [];
    private GoServer _go = null!;
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync()
    {
        _go = await GoServer.StartAsync(Configuration);
        _broker = await NatsBroker.StartAsync(
            new BrokerOptions
            {
                Port = BrokerOptions.RandomPort,
                Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort },
                ServerTags = ["a:b"],
                ServerMetadata = new Dictionary<string, string> { ["k"] = "v" },
            },
            [_monitoring]);
        foreach (var url in (string[])[_go.Url, _broker.Url!])
            _clients.Add(await SpeakAsync(url));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var client in _clients)
            await client.DisposeAsync();
        await _broker.DisposeAsync();
        await _go.DisposeAsync();
        _http.Dispose();
    }

    [Theory]
    [InlineData("/varz")]
    [InlineData("/connz")]
    [InlineData("/connz?subs=1")]
    [InlineData("/connz?subs=detail&auth=true")]
    [InlineData("/connz?state=closed")]
    [InlineData("/connz?state=all&sort=start&limit=1&offset=1")]
    [InlineData("/connz?cid=999")]
    [InlineData("/subsz?subs=1&acc=$G&test=orders.new")]
    [InlineData("/subscriptionsz")]
    [InlineData("/healthz")]
    [InlineData("/healthz?js-server-only=1")]
    [InlineData("/routez")]
    [InlineData("/gatewayz")]
    [InlineData("/leafz")]
    [InlineData("/accstatz")]
    [InlineData("/accstatz?unused=false")]
    [InlineData("/accstatz?unused=true")]
    [InlineData("/accountz")]
    [InlineData("/jsz")]
    [InlineData("/ipqueuesz")]
    public async Task Page_has_the_names_and_kinds_of_values_of_Gos(string page)
    {
        var go = await ShapeAsync(new Uri($"http://127.0.0.1:{_go.MonitoringPort}{page}"));
        var own = await ShapeAsync(new Uri($"http://{_monitoring.EndPoint}{page}"));

        Assert.Equal(go, own.Where(static field => !field.StartsWith(Added, StringComparison.Ordinal)));
    }

    // Values that the same traffic makes the same.
    [Theory]
    [InlineData("/varz", "version proto connections total_connections in_msgs in_bytes out_msgs out_bytes max_payload max_connections ping_interval write_deadline auth_timeout tags metadata http_port slow_consumer_stats")]
    [InlineData("/connz?subs=detail&auth=1", "num_connections total offset limit connections.kind connections.type connections.ip connections.in_msgs connections.out_msgs connections.in_bytes connections.out_bytes connections.subscriptions connections.name connections.lang connections.name_tag connections.pending_bytes connections.subscriptions_list_detail.subject connections.subscriptions_list_detail.qgroup connections.subscriptions_list_detail.sid connections.subscriptions_list_detail.msgs")]
    [InlineData("/accstatz", "account_statz.acc account_statz.conns account_statz.sent account_statz.received account_statz.slow_consumers")]
    [InlineData("/subsz?subs=1&acc=$G&test=orders.new", "total offset limit subscriptions_list.account subscriptions_list.subject subscriptions_list.qgroup subscriptions_list.msgs")]
    public async Task Page_has_the_values_of_Gos(string page, string names)
    {
        var go = JsonDocument.Parse(await _http.GetStringAsync(new Uri($"http://127.0.0.1:{_go.MonitoringPort}{page}"))).RootElement;
        var own = JsonDocument.Parse(await _http.GetStringAsync(new Uri($"http://{_monitoring.EndPoint}{page}"))).RootElement;

        Assert.All(names.Split(' '), name => Assert.Equal($"{name} {JsonShape.ValueOf(go, name)}", $"{name} {JsonShape.ValueOf(own, name)}"));
    }

    [Theory]
    [InlineData("/nope")]
    [InlineData("/varz/")]
    [InlineData("/raftz")]
    [InlineData("/connz?sort=foo")]
    [InlineData("/connz?sort=reason")]
    [InlineData("/connz?subs=maybe")]
    [InlineData("/connz?limit=ten")]
    [InlineData("/connz?offset=99999999999999999999")]
    [InlineData("/connz?cid=-5")]
    [InlineData("/connz?state=half")]
    [InlineData("/subsz?test=a..b")]
    [InlineData("/healthz?details=x")]
    [InlineData("/accountz?acc=X")]
    [InlineData("/accstatz?unused=x")]
    [InlineData("/healthz?callback=f")]
    public async Task Refusal_has_the_status_and_text_of_Gos(string page)
    {
        using var go = await _http.GetAsync(new Uri($"http://127.0.0.1:{_go.MonitoringPort}{page}"));
        using var own = await _http.GetAsync(new Uri($"http://{_monitoring.EndPoint}{page}"));

        Assert.Equal((go.StatusCode, $"{go.Content.Headers.ContentType}", await go.Content.ReadAsStringAsync()), (own.StatusCode, $"{own.Content.Headers.ContentType}", await own.Content.ReadAsStringAsync()));
    }

    private static async Task<NatsClient> SpeakAsync(string url)
    {
        await using (var gone = await NatsClient.ConnectAsync(url))
            await gone.FlushAsync();
        var client = await NatsClient.ConnectAsync(url, options => options.Name = "speaker");
        var subscription = client.Subscribe<string>("orders.*", "workers");
        await client.PublishAsync("orders.new", "hello");
        await subscription.ReadAsync();
        await client.FlushAsync();
        return client;
    }

    private async Task<List<string>> ShapeAsync(Uri page) => JsonShape.Of(JsonDocument.Parse(await _http.GetStringAsync(page)).RootElement);
}
