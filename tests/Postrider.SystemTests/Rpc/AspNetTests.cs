using System.IO.Compression;
using System.Net.Http.Headers;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Postrider.Rpc;

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

    private static byte[] Zip(string text)
    {
        var bytes = new MemoryStream();
        using (var zip = new GZipStream(bytes, CompressionLevel.Fastest))
            zip.Write(System.Text.Encoding.UTF8.GetBytes(text));
        return bytes.ToArray();
    }

    private static Task<DepotHost> StartAsync() => DepotHost.StartAsync(
        static b =>
        {
            b.Services.AddAuthentication("test").AddScheme<AuthenticationSchemeOptions, ByHeader>("test", null);
            b.Services.AddAuthorizationBuilder().AddPolicy("keeper", static policy => policy.RequireAuthenticatedUser().RequireUserName("keeper"));
        },
        static app => app.UseAuthentication().UseAuthorization());

    private sealed class ByHeader(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
            => Task.FromResult(Request.Headers["X-User"].ToString() is { Length: > 0 } name
                ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, name)], "test")), "test"))
                : AuthenticateResult.NoResult());
    }
}
