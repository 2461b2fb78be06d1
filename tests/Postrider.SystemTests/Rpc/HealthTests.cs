using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Grpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Health over gRPC and over HTTP, by ASP.NET Core's checks.</summary>
public sealed class HealthTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private volatile bool _isWell = true;
    private WebApplication _app = null!;
    private HttpClient _http = null!;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddHealthChecks()
            .AddCheck("store", () => _isWell ? HealthCheckResult.Healthy() : HealthCheckResult.Unhealthy("lost"), ["acme.Shop"])
            .AddCheck("cache", static () => HealthCheckResult.Degraded("cold"), ["acme.Cache"]);
        _app = builder.Build();
        _app.MapGrpcHealth(["acme.Desk"], watched: TimeSpan.FromMilliseconds(10));
        _app.MapHealthChecks("/health");
        await _app.StartAsync();
        _http = new HttpClient { BaseAddress = new Uri(_app.Urls.Single()), DefaultRequestVersion = HttpVersion.Version20, DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact };
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _app.DisposeAsync();
    }

    [Theory]
    [InlineData("", true, 1, "0")]
    [InlineData("", false, 2, "0")]
    [InlineData("acme.Shop", true, 1, "0")]
    [InlineData("acme.Shop", false, 2, "0")]
    [InlineData("acme.Cache", false, 1, "0")]
    [InlineData("acme.Desk", false, 2, "0")]
    [InlineData("acme.Nowhere", true, -1, "5")]
    public async Task State_is_the_worst_of_a_services_checks(string name, bool isWell, int state, string status)
    {
        _isWell = isWell;

        using var response = await AskAsync("Check", [10, (byte)name.Length, .. System.Text.Encoding.ASCII.GetBytes(name)]);
        var body = await response.Content.ReadAsByteArrayAsync();

        Assert.Equal(state < 0 ? [] : new byte[] { 0, 0, 0, 0, 2, 8, (byte)state }, body);
        Assert.Equal(status, Status(response));
    }

    [Theory]
    [InlineData(new byte[] { }, "0")]
    [InlineData(new byte[] { 0x10, 0x96, 0x01, 0x1D, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2A, 1, 7 }, "0")]
    [InlineData(new byte[] { 10 }, "3")]
    [InlineData(new byte[] { 10, 5, 97 }, "3")]
    [InlineData(new byte[] { 10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01 }, "3")]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF }, "3")]
    [InlineData(new byte[] { 3 }, "3")]
    [InlineData(new byte[] { 0x1D, 1 }, "3")]
    public async Task Message_is_read_as_protobuf_is(byte[] message, string status)
    {
        using var response = await AskAsync("Check", message);
        await response.Content.ReadAsByteArrayAsync();

        Assert.Equal(status, Status(response));
    }

    [Fact]
    public async Task Whoever_watches_is_told_of_changes()
    {
        using var response = await AskAsync("Watch", []);
        await using var body = await response.Content.ReadAsStreamAsync();

        Assert.Equal(1, await NextAsync(body));
        _isWell = false;
        Assert.Equal(2, await NextAsync(body));
        _isWell = true;
        Assert.Equal(1, await NextAsync(body));
    }

    [Fact]
    public async Task Whoever_watches_an_unknown_service_is_told_that_it_is()
    {
        using var response = await AskAsync("Watch", [10, 1, (byte)'x']);
        await using var body = await response.Content.ReadAsStreamAsync();

        Assert.Equal(3, await NextAsync(body));
    }

    [Fact]
    public async Task Same_checks_answer_over_http()
    {
        Assert.Equal("Degraded", await _http.GetStringAsync(new Uri("/health", UriKind.Relative)));

        _isWell = false;
        using var response = await _http.GetAsync(new Uri("/health", UriKind.Relative));

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "Unhealthy"), (response.StatusCode, await response.Content.ReadAsStringAsync()));
    }

    private static string? Status(HttpResponseMessage response)
        => response.TrailingHeaders.Concat(response.Headers).FirstOrDefault(static h => h.Key.Equals("grpc-status", StringComparison.OrdinalIgnoreCase)).Value?.First();

    private static async Task<byte> NextAsync(Stream body)
    {
        var frame = new byte[7];
        await body.ReadExactlyAsync(frame).AsTask().WaitAsync(Patience);
        return frame[6];
    }

    private async Task<HttpResponseMessage> AskAsync(string operation, byte[] message)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, $"/grpc.health.v1.Health/{operation}")
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent([0, 0, 0, 0, (byte)message.Length, .. message]),
        };
        request.Content.Headers.ContentType = new("application/grpc");
        request.Headers.TE.Add(new("trailers"));
        return await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead).WaitAsync(Patience);
    }
}
