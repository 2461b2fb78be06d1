using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>Authorization, rate limits and compression by ASP.NET Core's own means.</summary>
public sealed class AspNetTests
{
    [Theory]
    [InlineData("GET", "depot/open", null, 200)]
    [InlineData("GET", "depot/known", null, 401)]
    [InlineData("GET", "depot/known", "ann", 200)]
    [InlineData("POST", "depot/kept", null, 401)]
    [InlineData("POST", "depot/kept", "ann", 403)]
    [InlineData("POST", "depot/kept", "keeper", 200)]
    public async Task Attribute_on_an_operation_says_who_may_call_it(string method, string path, string? user, int status)
    {
        await using var host = await StartAsync();

        using var response = await host.SendAsync(method, path, null, ("X-User", user ?? ""));

        Assert.Equal(status, (int)response.StatusCode);
    }

    [Theory]
    [InlineData("Open", null, 200)]
    [InlineData("Known", null, 401)]
    [InlineData("Known", "ann", 200)]
    [InlineData("Kept", "ann", 403)]
    [InlineData("Kept", "keeper", 200)]
    public async Task Attribute_on_an_operation_holds_by_grpc(string operation, string? user, int status)
    {
        await using var app = await GuardedAsync();

        Assert.Equal(status, await StatusAsync(app, HttpMethod.Post, $"guarded/{operation}", user, "application/grpc+json", [0, 0, 0, 0, 0]));
    }

    [Theory]
    [InlineData("POST", "guarded.svc", null, 401)]
    [InlineData("POST", "guarded.svc", "ann", 403)]
    [InlineData("POST", "guarded.svc", "keeper", 200)]
    [InlineData("GET", "guarded.svc?wsdl", null, 401)]
    [InlineData("GET", "guarded.svc?wsdl", "keeper", 200)]
    [InlineData("GET", "guarded.ws", null, 401)]
    [InlineData("GET", "guarded.ws", "ann", 403)]
    [InlineData("GET", "guarded.ws", "keeper", 426)]
    public async Task Address_of_several_operations_demands_what_any_of_them_does(string method, string path, string? user, int status)
    {
        await using var app = await GuardedAsync();
        var body = method == "POST" ? "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><Open xmlns=\"http://tempuri.org/\"/></s:Body></s:Envelope>"u8.ToArray() : null;

        Assert.Equal(status, await StatusAsync(app, new HttpMethod(method), path, user, "text/xml", body));
    }

    [Fact]
    public async Task Caller_learns_what_it_may_not_and_the_operation_who_calls()
    {
        await using var host = await StartAsync();

        var unknown = await Assert.ThrowsAsync<RpcException>(async () => await host.Client.KnownAsync());
        var known = await host.Client.KnownAsync(new CallContext { Headers = { ["X-User"] = "ann" } });

        Assert.Equal((RpcStatus.Unauthenticated, "ann"), (unknown.Status, known));
    }

    [Fact]
    public async Task Call_beyond_the_rate_is_refused_and_told_when_to_come_again()
    {
        await using var host = await DepotHost.StartAsync(
            static b => b.Services.AddRateLimiter(static limiter =>
            {
                limiter.AddFixedWindowLimiter("few", static few => (few.PermitLimit, few.Window) = (1, TimeSpan.FromHours(1)));
                limiter.RejectionStatusCode = StatusCodes.Status429TooManyRequests;
                limiter.OnRejected = static (rejected, _) =>
                {
                    rejected.HttpContext.Response.Headers.RetryAfter = "3600";
                    return default;
                };
            }),
            static app => app.UseRateLimiter());
        Assert.Equal("rare", await host.Client.RareAsync());

        using var response = await host.SendAsync("GET", "depot/rare");
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await host.Client.RareAsync());

        Assert.Equal((429, "3600", RpcStatus.Busy), ((int)response.StatusCode, response.Headers.RetryAfter?.ToString(), failure.Status));
        Assert.Equal("open", await host.Client.OpenAsync());
    }

    [Fact]
    public async Task Answers_and_requests_are_compressed_by_the_framework()
    {
        await using var host = await DepotHost.StartAsync(
            static b => b.Services.AddRequestDecompression().AddResponseCompression(static o => o.EnableForHttps = true),
            static app => app.UseResponseCompression().UseRequestDecompression());

        using var response = await host.SendAsync("GET", "depot/long?letters=100000", null, ("Accept-Encoding", "gzip"));
        var packed = await response.Content.ReadAsByteArrayAsync();
        using var request = new ByteArrayContent(Zip("\"" + new string('b', 50_000) + "\""));
        request.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        request.Headers.ContentEncoding.Add("gzip");
        using var measured = await host.Http.PostAsync(new Uri(host.Address, "depot/Measure"), request);

        Assert.Equal("gzip", Assert.Single(response.Content.Headers.ContentEncoding));
        Assert.InRange(packed.Length, 1, 5_000);
        using var unzipped = new StreamReader(new GZipStream(new MemoryStream(packed), CompressionMode.Decompress));
        Assert.Equal(100_002, (await unzipped.ReadToEndAsync()).Length);
        Assert.Equal("50000", await measured.Content.ReadAsStringAsync());
    }

    // The first address speaks HTTP/1.1, the second HTTP/2, which gRPC needs.
    private static async Task<WebApplication> GuardedAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http1);
            kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2);
        });
        AddUsers(builder);
        var app = builder.Build();
        app.UseWebSockets();
        app.UseAuthentication().UseAuthorization();
        var service = GuardedContract.Serve(new Guarded());
        app.MapGrpc(service, [new RpcJsonCodec()]);
        app.MapSoap("/guarded.svc", service, GuardedXml.Default);
        app.MapRpcWebSockets("/guarded.ws", new WebSocketServer([new RpcJsonCodec()], [service]));
        await app.StartAsync();
        return app;
    }

    private static async Task<int> StatusAsync(WebApplication app, HttpMethod method, string path, string? user, string type, byte[]? body)
    {
        var isGrpc = type.StartsWith("application/grpc", StringComparison.Ordinal);
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(method, $"{(isGrpc ? app.Urls.Last() : app.Urls.First())}/{path}")
        {
            Version = isGrpc ? HttpVersion.Version20 : HttpVersion.Version11,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = body is null ? null : new ByteArrayContent(body) { Headers = { ContentType = new MediaTypeHeaderValue(type) } },
        };
        if (user is not null)
            request.Headers.Add("X-User", user);
        using var response = await http.SendAsync(request);
        return (int)response.StatusCode;
    }

    private static void AddUsers(WebApplicationBuilder builder)
    {
        builder.Services.AddAuthentication("test").AddScheme<AuthenticationSchemeOptions, ByHeader>("test", null);
        builder.Services.AddAuthorizationBuilder().AddPolicy("keeper", static policy => policy.RequireAuthenticatedUser().RequireUserName("keeper"));
    }

    private static byte[] Zip(string text)
    {
        var bytes = new MemoryStream();
        using (var zip = new GZipStream(bytes, CompressionLevel.Fastest))
            zip.Write(System.Text.Encoding.UTF8.GetBytes(text));
        return bytes.ToArray();
    }

    private static Task<DepotHost> StartAsync() => DepotHost.StartAsync(AddUsers, static app => app.UseAuthentication().UseAuthorization());

    private sealed class ByHeader(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
            => Task.FromResult(Request.Headers["X-User"].ToString() is { Length: > 0 } name
                ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, name)], "test")), "test"))
                : AuthenticateResult.NoResult());
    }
}
