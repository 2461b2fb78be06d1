using System.Net;
using System.Net.WebSockets;
using System.Security.Claims;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Dispatch;
using Postrider.Transport.Nats;

namespace Postrider.HostingTests.Broker;

/// <summary>A broker's dashboard in an ASP.NET Core application.</summary>
public sealed class MappedDashboardTests
{
    private static readonly HttpClient s_http = new(new HttpClientHandler { AllowAutoRedirect = false });

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("/watch/dashboard/", "text/html")]
    [InlineData("/watch/dashboard/dashboard.js", "text/javascript")]
    [InlineData("/watch/varz", "application/json")]
    [InlineData("/watch/healthz", "application/json")]
    public async Task Pages_are_below_the_path(string path, string type)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard("/watch"));

        using var answer = await GetAsync(app, path);

        Assert.Equal((HttpStatusCode.OK, type), (answer.StatusCode, answer.Content.Headers.ContentType?.MediaType));
    }

    [Theory]
    [InlineData("/watch")]
    [InlineData("/watch/")]
    [InlineData("/watch/dashboard")]
    public async Task Path_leads_to_the_dashboard(string path)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard("/watch"));

        using var answer = await GetAsync(app, path);

        Assert.InRange((int)answer.StatusCode, 301, 302);
        Assert.Equal("/watch/dashboard/", new Uri(Address(app, path), answer.Headers.Location!).AbsolutePath);
    }

    [Fact]
    public async Task Group_has_the_dashboard_below_its_prefix()
    {
        await using var app = await StartAsync(static app => app.MapGroup("/admin").MapPostriderDashboard("watch/it/"));

        using var answer = await GetAsync(app, "/admin/watch/it/varz");
        using var other = await GetAsync(app, "/watch/it/varz");

        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.NotFound), (answer.StatusCode, other.StatusCode));
    }

    [Theory]
    [InlineData("localhost", HttpStatusCode.OK)]
    [InlineData("shop.example", HttpStatusCode.Forbidden)]
    public async Task Without_authorization_only_its_own_machine_reads(string host, HttpStatusCode status)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard());

        using var page = await GetAsync(app, "/postrider/dashboard/", host: host);
        using var figures = await GetAsync(app, "/postrider/varz", host: host);

        Assert.Equal((status, status), (page.StatusCode, figures.StatusCode));
        Assert.False(figures.Headers.Contains("Access-Control-Allow-Origin"));
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData("guest", HttpStatusCode.Forbidden)]
    [InlineData("operator", HttpStatusCode.OK)]
    public async Task With_authorization_its_policy_decides(string? role, HttpStatusCode status)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard().RequireAuthorization("operators"));

        using var answer = await GetAsync(app, "/postrider/dashboard/", role, "shop.example");

        Assert.Equal(status, answer.StatusCode);
    }

    [Fact]
    public async Task Anonymous_readers_are_let_in_where_the_application_says_so()
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard().AllowAnonymous());

        using var answer = await GetAsync(app, "/postrider/dashboard/", host: "shop.example");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    [Fact]
    public async Task Other_methods_are_refused()
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard());

        using var answer = await s_http.PostAsync(Address(app, "/postrider/varz"), null, Ct);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, answer.StatusCode);
        Assert.Equal(["GET", "HEAD"], answer.Content.Headers.Allow);
    }

    [Fact]
    public async Task Broker_of_ones_own_is_shown()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, ServerName = "mine" }, ct: Ct);
        await using var app = await StartAsync(app => app.MapPostriderDashboard(broker: broker), withBroker: false);

        using var answer = await GetAsync(app, "/postrider/varz");

        Assert.Contains("\"server_name\": \"mine\"", await answer.Content.ReadAsStringAsync(Ct), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Application_without_a_broker_does_not_start()
    {
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(static app => app.MapPostriderDashboard("/desk"), withBroker: false));

        Assert.Equal("MapPostriderDashboard(\"/desk\") found no broker in this application. Call builder.AddPostriderBroker() before the application is built, or pass a broker.", failure.Message);
    }

    [Fact]
    public async Task Broker_that_has_stopped_is_reported()
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard());
        await app.Services.GetRequiredService<BrokerService>().Broker.StopAsync();

        using var answer = await GetAsync(app, "/postrider/varz");

        Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
        Assert.Equal("The broker of this application does not run: it starts and stops with the application.\n", await answer.Content.ReadAsStringAsync(Ct));
    }

    [Fact]
    public async Task Path_with_parameters_is_refused()
    {
        await using var app = await StartAsync(static _ => { });

        var refusal = Assert.Throws<ArgumentException>(() => app.MapPostriderDashboard("/{tenant}/watch"));

        Assert.Contains("needs a fixed one", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("operator", "own", true)]
    [InlineData("operator", "http://evil.example", false)]
    [InlineData(null, "own", false)]
    public async Task Page_acts_with_the_right_of_the_application_and_from_its_own_origin(string? role, string origin, bool isAllowed)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard().RequireAuthorization("operators"));
        using var socket = new ClientWebSocket();
        var address = Address(app, "/postrider/dashboard/nats");
        socket.Options.SetRequestHeader("Origin", origin == "own" ? address.GetLeftPart(UriPartial.Authority) : origin);
        if (role is not null) socket.Options.SetRequestHeader("Role", role);

        var refusal = await Record.ExceptionAsync(() => socket.ConnectAsync(new UriBuilder(address) { Scheme = "ws" }.Uri, Ct));

        Assert.Equal(isAllowed, refusal is null);
        if (!isAllowed) return;
        await socket.SendAsync("CONNECT {\"verbose\":false}\r\nPING\r\n"u8.ToArray(), WebSocketMessageType.Binary, true, Ct);
        var text = new StringBuilder();
        var buffer = new byte[4096];
        while (!text.ToString().Contains("PONG", StringComparison.Ordinal))
            text.Append(Encoding.UTF8.GetString(buffer, 0, (await socket.ReceiveAsync(buffer, Ct)).Count));
        Assert.StartsWith("INFO {", text.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("the broker")]
    [InlineData("the application")]
    public async Task Events_are_for_readers_and_end_with(string what)
    {
        await using var app = await StartAsync(static app => app.MapPostriderDashboard().RequireAuthorization("operators"));
        using var refused = await GetAsync(app, "/postrider/dashboard/live?page=varz", "guest");
        using var request = new HttpRequestMessage(HttpMethod.Get, Address(app, "/postrider/dashboard/live?page=healthz"));
        request.Headers.Add("Role", "operator");
        using var stream = await s_http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Ct);
        using var events = new StreamReader(await stream.Content.ReadAsStreamAsync(Ct));

        var first = await events.ReadLineAsync(Ct);
        var stopped = what == "the broker" ? app.Services.GetRequiredService<BrokerService>().Broker.StopAsync() : app.StopAsync(Ct);
        // The server of the application would wait for half a minute.
        await events.ReadToEndAsync(Ct).WaitAsync(TimeSpan.FromSeconds(20), Ct);
        await stopped.WaitAsync(TimeSpan.FromSeconds(20), Ct);

        Assert.Equal((HttpStatusCode.Forbidden, "text/event-stream"), (refused.StatusCode, stream.Content.Headers.ContentType?.MediaType));
        Assert.StartsWith("data: {\"pages\":[{\"page\":\"healthz\",\"status\":200,\"content\":{", first, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Handlers_of_the_application_are_shown_over_nats()
    {
        await using var app = await StartAsync(static _ => { });
        var broker = app.Services.GetRequiredService<BrokerService>().Broker;
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        await using var handlers = client.AddHandlerService(app.Services.GetRequiredService<IHandlerMap>(), "shop", routes: app.Services.GetRequiredService<IRouteTable>());

        var reply = await client.RequestAsync<byte[], byte[]>("postrider.handlers", [], ct: Ct);

        var page = JsonDocument.Parse(reply.Data).RootElement;
        Assert.Equal("shop", page.GetProperty("application").GetString());
        Assert.Equal(0, page.GetProperty("omitted").GetInt32());
        var order = page.GetProperty("messages").EnumerateArray().Single(message => message.GetProperty("message").GetString()!.EndsWith("PlaceOrder", StringComparison.Ordinal));
        Assert.Equal("request", order.GetProperty("kind").GetString());
        Assert.Contains("OrderHandlers", order.GetProperty("handlers")[0].GetString(), StringComparison.Ordinal);
        Assert.Equal(("", ""), (order.GetProperty("transport").GetString(), order.GetProperty("destination").GetString()));
        Assert.Contains("is not routed: it is handled in this process by", order.GetProperty("why").GetString(), StringComparison.Ordinal);
        Assert.Contains(order.GetProperty("middleware").EnumerateArray(), static one => one.GetString()!.Contains("Validation", StringComparison.Ordinal));
    }

    private static Uri Address(WebApplication app, string path) => new(new Uri(app.Urls.First()), path);

    private static async Task<HttpResponseMessage> GetAsync(WebApplication app, string path, string? role = null, string? host = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, Address(app, path));
        if (role is not null) request.Headers.Add("Role", role);
        if (host is not null) request.Headers.Host = host;
        return await s_http.SendAsync(request, Ct);
    }

    private static async Task<WebApplication> StartAsync(Action<WebApplication> map, bool withBroker = true)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Configuration["urls"] = "http://127.0.0.1:0";
        if (withBroker) builder.AddPostriderBroker(static options => options.Listen = false);
        builder.Services.AddPostrider();
        builder.Services.AddAuthentication("role").AddScheme<AuthenticationSchemeOptions, RoleHeader>("role", null);
        builder.Services.AddAuthorizationBuilder().AddPolicy("operators", static policy => policy.RequireRole("operator"));
        var app = builder.Build();
        app.UseAuthentication();
        app.UseAuthorization();
        map(app);
        await app.StartAsync(Ct);
        return app;
    }

    private sealed class RoleHeader(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logging, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logging, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
            => Task.FromResult(Request.Headers["Role"].ToString() is { Length: > 0 } role
                ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Role, role)], "role")), "role"))
                : AuthenticateResult.NoResult());
    }
}
