using System.Net;
using System.Net.Http.Headers;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Configuration;
using Postrider.Broker.Http;

namespace Postrider.SystemTests.Monitoring;

/// <summary>Who may read the monitoring pages and the dashboard.</summary>
public sealed class MonitoringAccessTests : IAsyncLifetime
{
    // bcrypt of "secret", with the least cost.
    private const string Hash = "$2a$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

    private readonly HttpMonitoring _monitoring = new();
    private readonly HttpClient _http = new();
    private NatsBroker? _broker;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        if (_broker is not null) await _broker.DisposeAsync();
    }

    [Theory]
    [InlineData("/varz")]
    [InlineData("/connz")]
    [InlineData("/metrics")]
    [InlineData("/")]
    [InlineData("/dashboard/")]
    [InlineData("/dashboard/dashboard.js")]
    [InlineData("/dashboard/access")]
    [InlineData("/nothing")]
    public async Task Page_with_a_password_is_for_those_who_know_it(string path)
    {
        await StartAsync("secret");

        using var without = await GetAsync(path);
        using var wrong = await GetAsync(path, "watch:guess");
        using var right = await GetAsync(path, "watch:secret");

        Assert.Equal((HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized), (without.StatusCode, wrong.StatusCode));
        Assert.Equal("Basic realm=\"Postrider monitoring\", charset=\"UTF-8\"", without.Headers.WwwAuthenticate.ToString());
        Assert.Equal(path == "/nothing" ? HttpStatusCode.NotFound : HttpStatusCode.OK, right.StatusCode);
        Assert.False(right.Headers.Contains("Access-Control-Allow-Origin"));
    }

    [Theory]
    [InlineData("watch:secret", HttpStatusCode.OK)]
    [InlineData("watch:secret:", HttpStatusCode.Unauthorized)]
    [InlineData("watch:", HttpStatusCode.Unauthorized)]
    [InlineData(":secret", HttpStatusCode.Unauthorized)]
    [InlineData("Watch:secret", HttpStatusCode.Unauthorized)]
    [InlineData("watch", HttpStatusCode.Unauthorized)]
    [InlineData("", HttpStatusCode.Unauthorized)]
    public async Task Password_may_be_a_hash(string given, HttpStatusCode status)
    {
        await StartAsync(Hash);

        using var first = await GetAsync("/varz", given);
        using var second = await GetAsync("/varz", given);

        Assert.Equal((status, status), (first.StatusCode, second.StatusCode));
    }

    [Theory]
    [InlineData("Basic")]
    [InlineData("Basic !!!")]
    [InlineData("Bearer d2F0Y2g6c2VjcmV0")]
    [InlineData("d2F0Y2g6c2VjcmV0")]
    public async Task Header_that_is_no_password_is_refused(string header)
    {
        await StartAsync("secret");
        using var request = new HttpRequestMessage(HttpMethod.Get, Address("/varz"));
        request.Headers.TryAddWithoutValidation("Authorization", header);

        using var answer = await _http.SendAsync(request, Ct);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [Fact]
    public async Task Header_of_any_length_is_refused()
    {
        await StartAsync("secret");

        using var answer = await GetAsync("/varz", "watch:" + new string('x', 16 * 1024));

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [Fact]
    public async Task Health_needs_no_password()
    {
        await StartAsync("secret");

        using var answer = await GetAsync("/healthz");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    [Fact]
    public async Task Address_that_keeps_guessing_is_refused_unchecked()
    {
        await StartAsync("secret", static options => options.AuthThrottle = new() { FreeFailures = 1, MaxWaiting = 1, MaxDelay = TimeSpan.FromMinutes(1), Exempt = [] });
        for (var i = 0; i < 2; i++)
            using (await GetAsync("/varz", "watch:guess")) { }

        var answers = Enumerable.Range(0, 4).Select(_ => GetAsync("/varz", "watch:guess")).ToList();
        var statuses = new List<HttpStatusCode>();
        await foreach (var answer in Task.WhenEach(answers))
            statuses.Add((await answer).StatusCode);

        Assert.Contains(HttpStatusCode.TooManyRequests, statuses);
        Assert.DoesNotContain(HttpStatusCode.OK, statuses);
    }

    [Theory]
    [InlineData("localhost", HttpStatusCode.OK)]
    [InlineData("127.0.0.1", HttpStatusCode.OK)]
    [InlineData("[::1]", HttpStatusCode.OK)]
    [InlineData("broker.example", HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1.example", HttpStatusCode.Forbidden)]
    [InlineData("192.0.2.7", HttpStatusCode.Forbidden)]
    public async Task Dashboard_without_a_password_is_for_its_own_machine(string host, HttpStatusCode status)
    {
        await StartAsync(password: null);

        using var page = await GetAsync("/dashboard/", host: host);
        using var file = await GetAsync("/dashboard/dashboard.js", host: host);
        using var figures = await GetAsync("/varz", host: host);

        Assert.Equal((status, status, HttpStatusCode.OK), (page.StatusCode, file.StatusCode, figures.StatusCode));
        if (status == HttpStatusCode.Forbidden)
            Assert.Contains("set http_user and http_password", await page.Content.ReadAsStringAsync(Ct), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dashboard_with_a_password_is_shown_anywhere()
    {
        await StartAsync("secret");

        using var page = await GetAsync("/dashboard/", "watch:secret", host: "broker.example");

        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
    }

    [Theory]
    [InlineData("http_user: watch", "belong together")]
    [InlineData("http_password: secret", "belong together")]
    [InlineData("http_user: \"a:b\", http_password: secret", "contains a colon")]
    public void Half_a_password_is_refused_at_the_start(string text, string problem)
    {
        var file = Path.GetTempFileName();
        File.WriteAllText(file, text);
        var options = new BrokerOptions();
        ConfigurationFile.Apply(file, options);

        var refusal = Assert.Throws<BrokerException>(options.Validate);

        File.Delete(file);
        Assert.Contains(problem, refusal.Message, StringComparison.Ordinal);
    }

    private async Task StartAsync(string? password, Action<BrokerOptions>? change = null)
    {
        var options = new BrokerOptions { Port = BrokerOptions.RandomPort, Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort, User = password is null ? null : "watch", Password = password } };
        change?.Invoke(options);
        _broker = await NatsBroker.StartAsync(options, [_monitoring], Ct);
    }

    private Uri Address(string path) => new($"http://{_monitoring.EndPoint}{path}");

    private async Task<HttpResponseMessage> GetAsync(string path, string? credentials = null, string? host = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, Address(path));
        if (credentials is not null) request.Headers.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(credentials)));
        if (host is not null) request.Headers.Host = host;
        return await _http.SendAsync(request, Ct);
    }
}
