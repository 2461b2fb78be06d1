using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.AspNetCore;
using Postrider.Middleware;

namespace Postrider.HostingTests.Dispatch;

public sealed class MessageEndpointTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string, string, int, string?> Bodies => new()
    {
        { "/orders", "{\"item\":\"tea\",\"quantity\":2}", 200, null },
        { "/orders", "{\"item\":\"tea\",\"quantity\":0}", 400, "The message is not valid." },
        { "/orders", "{\"item\":\"tea\",\"quantity\":\"two\"}", 400, "The body is not a valid message at $.quantity." },
        { "/orders", "{\"item\":", 400, "The body is not a valid message" },
        { "/orders", "", 400, "The body is not a valid message" },
        { "/orders", "null", 400, "The body is null; it must be an object." },
        { "/orders", "{\"item\":\"forbidden\",\"quantity\":1}", 403, "Only managers order this." },
        { "/orders", "{\"item\":\"full\",\"quantity\":1}", 503, "The queue is full. Try again later." },
        { "/orders", "{\"item\":\"busy\",\"quantity\":1}", 503, "A service that the handler needs is not available." },
        { "/orders", "{\"item\":\"unreachable\",\"quantity\":1}", 503, "A service that the handler needs is not available." },
        { "/orders", "{\"item\":\"slow\",\"quantity\":1}", 504, "The handler exceeded its time limit." },
        { "/archive", "{\"year\":2025}", 204, null },
        { "/placed", "{\"item\":\"tea\"}", 202, null },
    };

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Body_ends_with_the_right_status(string path, string body, int status, string? detail)
    {
        await using var app = await StartAsync();
        using var http = Client(app);

        using var response = await http.PostAsync(path, new StringContent(body, Encoding.UTF8, "application/json"), Ct);

        Assert.Equal(status, (int)response.StatusCode);
        if (detail is not null)
        {
            Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
            Assert.StartsWith(detail, (string?)JsonNode.Parse(await response.Content.ReadAsStringAsync(Ct))!["detail"], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Errors_of_a_message_are_listed_by_member()
    {
        await using var app = await StartAsync();
        using var http = Client(app);

        using var response = await http.PostAsync("/orders", new StringContent("{\"item\":\"tea\",\"quantity\":-1}", Encoding.UTF8, "application/json"), Ct);

        var problem = JsonNode.Parse(await response.Content.ReadAsStringAsync(Ct))!;
        Assert.Equal("Must be at least 1.", (string?)problem["errors"]!["quantity"]![0]);
    }

    [Fact]
    public async Task Text_of_an_unknown_failure_stays_in_the_log()
    {
        await using var app = await StartAsync();
        using var http = Client(app);

        using var response = await http.PostAsync("/orders", new StringContent("{\"item\":\"broken\",\"quantity\":1}", Encoding.UTF8, "application/json"), Ct);

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.DoesNotContain("secret", await response.Content.ReadAsStringAsync(Ct), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Other_content_types_are_refused()
    {
        await using var app = await StartAsync();
        using var http = Client(app);
        using var content = new StringContent("tea", Encoding.UTF8, MediaTypeHeaderValue.Parse("text/plain"));

        using var response = await http.PostAsync("/orders", content, Ct);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    [Theory]
    [InlineData("application/json; charset=\"utf-8\"", 200)]
    [InlineData("application/json; charset=latin-9000", 415)]
    public async Task Charset_is_known_or_refused(string contentType, int status)
    {
        await using var app = await StartAsync();
        using var http = Client(app);
        using var content = new ByteArrayContent("{\"item\":\"tea\",\"quantity\":1}"u8.ToArray());
        content.Headers.TryAddWithoutValidation("content-type", contentType);

        using var response = await http.PostAsync("/orders", content, Ct);

        Assert.Equal(status, (int)response.StatusCode);
    }

    [Fact]
    public async Task Constructor_that_rejects_its_arguments_is_a_bad_request()
    {
        await using var app = await StartAsync();
        using var http = Client(app);

        using var response = await http.PostAsync("/measured", new StringContent("{\"length\":-1}", Encoding.UTF8, "application/json"), Ct);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.StartsWith("The body is not a valid message: Must not be negative.", (string?)JsonNode.Parse(await response.Content.ReadAsStringAsync(Ct))!["detail"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Caller_that_does_not_accept_problem_details_gets_the_status_and_the_log_no_error()
    {
        var log = new WarningLog();
        await using var app = await StartAsync(log);
        using var http = Client(app);
        using var request = new HttpRequestMessage(HttpMethod.Post, "/orders") { Content = new StringContent("{\"item\":\"tea\",\"quantity\":0}", Encoding.UTF8, "application/json") };
        request.Headers.Accept.Add(MediaTypeWithQualityHeaderValue.Parse("text/html"));

        using var response = await http.SendAsync(request, Ct);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Empty(log.Lines);
    }

    [Theory]
    [InlineData("/orders/1", 200)]
    [InlineData("/orders/2", 404)]
    [InlineData("/orders/many", 400)]
    public async Task Query_comes_from_the_route(string path, int status)
    {
        await using var app = await StartAsync();
        using var http = Client(app);

        using var response = await http.GetAsync(path, Ct);

        Assert.Equal(status, (int)response.StatusCode);
    }

    [Fact]
    public async Task Handler_knows_the_caller()
    {
        await using var app = await StartAsync();
        using var http = Client(app);
        using var request = new HttpRequestMessage(HttpMethod.Post, "/orders") { Content = new StringContent("{\"item\":\"tea\",\"quantity\":1}", Encoding.UTF8, "application/json") };
        request.Headers.Add("x-user", "anna");

        using var response = await http.SendAsync(request, Ct);

        Assert.Equal("anna", (string?)JsonNode.Parse(await response.Content.ReadAsStringAsync(Ct))!["placedBy"]);
    }

    [Fact]
    public async Task Type_that_the_json_options_do_not_know_is_told_when_it_is_mapped()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolver = OrdersJson.Default);
        await using var app = builder.Build();

        var failure = Assert.Throws<InvalidOperationException>(() => app.MapNotification<Unlisted>("/unlisted"));

        Assert.StartsWith("The JSON options of the application do not know Postrider.HostingTests.Dispatch.Unlisted.", failure.Message, StringComparison.Ordinal);
    }

    private static HttpClient Client(WebApplication app)
        => new() { BaseAddress = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()) };

    private static async Task<WebApplication> StartAsync(ILoggerProvider? log = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        if (log is not null)
            builder.Logging.AddProvider(log);
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, OrdersJson.Default));
        builder.Services.AddPostriderExceptionHandler();
        builder.Services.AddSingleton<OrderNotes>().AddSingleton<IValidator<PlaceOrder>, PlaceOrderValidator>().AddPostrider();
        var app = builder.Build();
        app.UseExceptionHandler();
        app.Use((http, next) =>
        {
            if (http.Request.Headers["x-user"] is [{ } user])
                http.User = new(new System.Security.Claims.ClaimsIdentity([new(System.Security.Claims.ClaimTypes.Name, user)], "test"));
            return next(http);
        });
        app.MapPost<PlaceOrder, Receipt>("/orders");
        app.MapPost<Archive>("/archive");
        app.MapNotification<OrderPlaced>("/placed");
        app.MapPost<Measured>("/measured");
        app.MapGet<FindOrder, Receipt?>("/orders/{number}", request => new FindOrder(int.Parse((string)request.RouteValues["number"]!, System.Globalization.CultureInfo.InvariantCulture)));
        await app.StartAsync(Ct);
        return app;
    }

    private sealed class WarningLog : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                Lines.Enqueue(formatter(state, exception));
        }

        public void Dispose()
        {
        }
    }
}
