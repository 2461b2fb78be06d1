using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Broker.Http;

namespace Postrider.SystemTests.Monitoring;

public sealed class HttpMonitoringTests : IAsyncLifetime
{
    private readonly HttpMonitoring _monitoring = new();
    private readonly HttpClient _http = new();
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(Options(), [_monitoring]);
        _http.BaseAddress = new Uri($"http://{_monitoring.EndPoint}");
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _broker.DisposeAsync();
    }

    // Status, type and text as nats-server 2.15.1 answers them; pages that only differ by values are in other tests.
    [Theory]
    [InlineData("/healthz", 200, "application/json", "{\"status\":\"ok\"}")]
    [InlineData("/healthz?callback=f", 200, "application/json", "{\"status\":\"ok\"}")]
    [InlineData("/healthz?js-enabled-only=x", 400, "text/plain", "Error decoding boolean for 'js-enabled-only': strconv.ParseBool: parsing \"x\": invalid syntax")]
    [InlineData("/nope", 404, "text/plain", "404 page not found\n")]
    [InlineData("/Varz", 404, "text/plain", "404 page not found\n")]
    [InlineData("/varz/", 404, "text/plain", "404 page not found\n")]
    [InlineData("/raftz", 404, "text/plain", "No Raft nodes registered")]
    [InlineData("/ipqueuesz", 200, "application/json", "{}")]
    [InlineData("/connz?sort=foo", 400, "text/plain", "invalid sorting option: foo")]
    [InlineData("/connz?sort=stop", 400, "text/plain", "sort by stop only valid on closed connections")]
    [InlineData("/connz?subs=x", 400, "text/plain", "Error decoding boolean for 'subs': strconv.ParseBool: parsing \"x\": invalid syntax")]
    [InlineData("/connz?limit=x", 400, "text/plain", "Error decoding int for 'limit': strconv.Atoi: parsing \"x\": invalid syntax")]
    [InlineData("/connz?limit=99999999999999999999", 400, "text/plain", "Error decoding int for 'limit': strconv.Atoi: parsing \"99999999999999999999\": value out of range")]
    [InlineData("/connz?cid=-1", 400, "text/plain", "Error decoding uint64 for 'cid': strconv.ParseUint: parsing \"-1\": invalid syntax")]
    [InlineData("/connz?state=bad", 400, "text/plain", "Error decoding state for bad")]
    [InlineData("/subsz?test=a.*", 400, "text/plain", "invalid test subject, must be valid publish subject: a.*")]
    public async Task Page_answers_as_nats_server_does(string path, int status, string type, string text)
    {
        using var response = await _http.GetAsync(path);

        Assert.Equal((HttpStatusCode)status, response.StatusCode);
        Assert.Equal(type, response.Content.Headers.ContentType!.MediaType);
        Assert.Equal(text, await response.Content.ReadAsStringAsync());
    }

    [Theory]
    [InlineData("/varz")]
    [InlineData("/connz")]
    [InlineData("/subsz")]
    [InlineData("/subscriptionsz")]
    [InlineData("/routez")]
    [InlineData("/gatewayz")]
    [InlineData("/leafz")]
    [InlineData("/accountz")]
    [InlineData("/accstatz")]
    public async Task Json_page_is_for_every_origin_and_names_the_server(string path)
    {
        using var response = await _http.GetAsync(path);

        Assert.Equal("*", response.Headers.GetValues("Access-Control-Allow-Origin").Single());
        var page = await response.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal(_broker.State.ServerId, page.GetProperty("server_id").GetString());
        Assert.True(page.TryGetProperty("now", out _));
    }

    [Fact]
    public async Task Root_page_links_to_pages_that_exist()
    {
        var root = await _http.GetStringAsync("/");

        var links = root.Split("href=\"./").Skip(1).Select(part => "/" + part[..part.IndexOf('"')]).ToList();
        Assert.Contains("/varz", links);
        foreach (var link in links)
            Assert.Equal(HttpStatusCode.OK, (await _http.GetAsync(link)).StatusCode);
    }

    [Fact]
    public async Task Requests_are_counted()
    {
        await _http.GetStringAsync("/subscriptionsz");
        await _http.GetStringAsync("/varz");

        var varz = await _http.GetFromJsonAsync<JsonElement>("/varz");

        Assert.Equal("{\"/subsz\":1,\"/varz\":2}", JsonSerializer.Serialize(varz.GetProperty("http_req_stats")));
    }

    [Fact]
    public async Task Metrics_have_one_help_and_type_for_each_name()
    {
        var lines = (await _http.GetStringAsync("/metrics")).Split('\n', StringSplitOptions.RemoveEmptyEntries);

        var values = lines.Where(line => line[0] != '#').Select(line => line.Split('{', ' ')[0]).Distinct().ToList();
        Assert.Contains("postrider_received_messages_total", values);
        Assert.Equal(values, lines.Where(line => line.StartsWith("# HELP ")).Select(line => line.Split(' ')[2]));
        Assert.Equal(values, lines.Where(line => line.StartsWith("# TYPE ")).Select(line => line.Split(' ')[2]));
        Assert.All(lines.Where(line => line[0] != '#'), line => Assert.True(double.TryParse(line[(line.LastIndexOf(' ') + 1)..], out _), line));
    }

    [Theory]
    [InlineData("/nats", 200)]
    [InlineData("/nats/varz", 200)]
    [InlineData("/varz", 404)]
    [InlineData("/", 404)]
    [InlineData("/natsvarz", 404)]
    public async Task Base_path_stands_before_every_page(string path, int status)
    {
        var monitoring = new HttpMonitoring();
        var options = Options();
        options.Monitoring.BasePath = "nats/";
        await using var broker = await NatsBroker.StartAsync(options, [monitoring]);

        using var response = await _http.GetAsync(new Uri($"http://{monitoring.EndPoint}{path}"));

        Assert.Equal((HttpStatusCode)status, response.StatusCode);
    }

    [Fact]
    public async Task Taken_monitoring_port_is_named()
    {
        var options = Options();
        options.Monitoring.Port = _monitoring.EndPoint!.Port;

        var refusal = await Assert.ThrowsAsync<BrokerException>(() => NatsBroker.StartAsync(options, [new HttpMonitoring()]));

        Assert.Equal(BrokerError.CannotListen, refusal.Error);
        Assert.Contains($"{_monitoring.EndPoint}", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Host_runs_a_broker_with_its_pages()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new());
        builder.AddPostriderBroker(options => (options.Port, options.Monitoring.Port) = (-1, -1)).AddPostriderMonitoring();
        using var host = builder.Build();

        await host.StartAsync();
        var broker = host.Services.GetRequiredService<BrokerService>().Broker;
        var pages = host.Services.GetRequiredService<HttpMonitoring>().EndPoint;
        var varz = await _http.GetFromJsonAsync<JsonElement>(new Uri($"http://{pages}/varz"));
        await host.StopAsync();

        Assert.Equal(broker.State.ServerId, varz.GetProperty("server_id").GetString());
        Assert.True(broker.Completion.IsCompleted);
    }

    private static BrokerOptions Options() => new() { Port = BrokerOptions.RandomPort, Monitoring = new() { Port = BrokerOptions.RandomPort } };
}
