using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Broker.Monitoring;
using Postrider.Client;

namespace Postrider.SystemTests.Monitoring;

/// <summary>Monitoring pages that are pushed to the dashboard.</summary>
public sealed class LivePagesTests : IAsyncLifetime
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly FakeTimeProvider _time = new(DateTimeOffset.UtcNow);
    private readonly HttpMonitoring _monitoring = new();
    private readonly HttpClient _http = new();
    private NatsBroker _broker = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
        => _broker = await NatsBroker.StartAsync(
            new BrokerOptions { Listen = false, TimeProvider = _time, Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort, User = "watch", Password = "secret" } }, [_monitoring], Ct);

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _broker.DisposeAsync();
    }

    [Fact]
    public async Task Pages_are_pushed_when_they_have_changed_until_the_broker_stops()
    {
        using var stream = await OpenAsync("page=connz%3Fauth%3D1%26limit%3D7&page=healthz&page=jsz&page=connz%3Fsort%3Dnonsense");
        using var events = new StreamReader(await stream.Content.ReadAsStreamAsync(Ct));

        var first = await NextAsync(events);
        _time.Advance(LivePages.Interval);
        var unchanged = await events.ReadLineAsync(Ct);
        await events.ReadLineAsync(Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector, Name = "till" }, Ct);
        _time.Advance(LivePages.Interval);
        var second = await NextAsync(events);
        await _broker.StopAsync();
        var rest = await events.ReadToEndAsync(Ct).WaitAsync(s_patience, Ct);

        Assert.Equal(("text/event-stream", "no-store"), (stream.Content.Headers.ContentType?.ToString(), stream.Headers.CacheControl?.ToString()));
        Assert.Equal(["connz?auth=1&limit=7 200", "healthz 200", "jsz 200", "connz?sort=nonsense 400"], first.Select(NameOf));
        Assert.Equal("[]", first[0].GetProperty("content").GetProperty("connections").GetRawText());
        Assert.Equal("ok", first[1].GetProperty("content").GetProperty("status").GetString());
        Assert.Equal("invalid sorting option: nonsense", first[3].GetProperty("content").GetString());
        Assert.Equal(":", unchanged);
        Assert.Equal(["connz?auth=1&limit=7 200"], second.Select(NameOf));
        Assert.Equal("till", second[0].GetProperty("content").GetProperty("connections")[0].GetProperty("name").GetString());
        Assert.DoesNotContain("data:", rest, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_ends_after_ten_minutes_so_that_rights_are_checked_again()
    {
        using var stream = await OpenAsync("page=healthz");
        using var events = new StreamReader(await stream.Content.ReadAsStreamAsync(Ct));
        await NextAsync(events);

        var intervals = 0;
        do
        {
            _time.Advance(LivePages.Interval);
            intervals++;
        }
        while (await events.ReadLineAsync(Ct).AsTask().WaitAsync(s_patience, Ct) == ":" && await events.ReadLineAsync(Ct) == "");

        Assert.Equal(TimeSpan.FromMinutes(10), intervals * LivePages.Interval);
    }

    [Fact]
    public async Task Stream_ends_when_the_configuration_has_changed()
    {
        using var stream = await OpenAsync("page=healthz");
        using var events = new StreamReader(await stream.Content.ReadAsStreamAsync(Ct));
        await NextAsync(events);

        _time.Advance(TimeSpan.FromSeconds(1));
        _broker.Reload(_broker.State.Options with { Monitoring = _broker.State.Options.Monitoring with { Password = "other" } });
        _time.Advance(LivePages.Interval);
        var rest = await events.ReadToEndAsync(Ct).WaitAsync(s_patience, Ct);
        using var refused = await OpenAsync("page=healthz");

        Assert.Equal("", rest);
        Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
    }

    [Theory]
    [InlineData("page=varz", null, HttpStatusCode.Unauthorized, "need the user and the password")]
    [InlineData("page=varz", "watch:guess", HttpStatusCode.Unauthorized, "need the user and the password")]
    [InlineData("", "watch:secret", HttpStatusCode.BadRequest, "No page is named: use ?page=varz&page=healthz.")]
    [InlineData("page=metrics", "watch:secret", HttpStatusCode.BadRequest, "The page 'metrics' cannot be pushed. Pages: accountz, accstatz, connz, healthz, jsz, leafz, routez, subsz, varz.")]
    [InlineData("page=", "watch:secret", HttpStatusCode.BadRequest, "The page '' cannot be pushed.")]
    [InlineData("page=varz&page=varz&page=varz&page=varz&page=varz&page=varz&page=varz&page=varz&page=varz", "watch:secret", HttpStatusCode.BadRequest, "9 pages are named, and a listener may have 8.")]
    public async Task Request_is_refused_with_the_reason(string query, string? credentials, HttpStatusCode status, string problem)
    {
        using var refused = await OpenAsync(query, credentials);

        Assert.Equal(status, refused.StatusCode);
        Assert.Contains(problem, await refused.Content.ReadAsStringAsync(Ct), StringComparison.Ordinal);
    }

    [Fact]
    public async Task So_many_listeners_are_served_and_one_that_leaves_makes_room()
    {
        var open = new List<HttpResponseMessage>();
        for (var i = 0; i < LivePages.MaxListeners; i++) open.Add(await OpenAsync("page=healthz"));

        using var refused = await OpenAsync("page=healthz");
        open[0].Dispose();

        Assert.Equal(HttpStatusCode.ServiceUnavailable, refused.StatusCode);
        await Eventually.HoldsAsync(async () =>
        {
            using var another = await OpenAsync("page=healthz");
            return another.StatusCode == HttpStatusCode.OK;
        });
        foreach (var one in open) one.Dispose();
    }

    [Fact]
    public async Task Listener_that_does_not_read_is_dropped()
    {
        var monitor = new BrokerMonitor(_broker.State);
        var pages = new LivePages(_broker.State, new PageReader(monitor, new MetricsPage(_broker.State, monitor), counts: false), Ct);
        var client = new UnreadRequest("/dashboard/live?page=varz");

        var served = await client.DropAsync(pages.HandleAsync(client.Context), _time);

        await served.WaitAsync(s_patience, Ct);
    }

    private static string NameOf(JsonElement page) => $"{page.GetProperty("page").GetString()} {page.GetProperty("status").GetInt32()}";

    private static async Task<JsonElement[]> NextAsync(StreamReader events)
    {
        var line = await events.ReadLineAsync(Ct).AsTask().WaitAsync(s_patience, Ct);
        Assert.Equal("", await events.ReadLineAsync(Ct));
        Assert.StartsWith("data: {\"pages\":[", line, StringComparison.Ordinal);
        using var json = JsonDocument.Parse(line!["data: ".Length..]);
        return [.. json.RootElement.GetProperty("pages").EnumerateArray().Select(static page => page.Clone())];
    }

    private async Task<HttpResponseMessage> OpenAsync(string query, string? credentials = "watch:secret")
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"http://{_monitoring.EndPoint}/dashboard/live?{query}");
        if (credentials is not null) request.Headers.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(credentials)));
        return await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Ct);
    }
}
