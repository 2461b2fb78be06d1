using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>Kestrel with the depot, and what a test adds to the application.</summary>
internal sealed class DepotHost : IAsyncDisposable
{
    private DepotHost(WebApplication app, Depot depot)
    {
        (App, Depot, Address) = (app, depot, new Uri(app.Urls.Single() + "/"));
        Channel = new HttpChannel(Address, new RpcJsonCodec());
        Client = new DepotClient(Channel);
    }

    public WebApplication App { get; }

    public Depot Depot { get; }

    public Uri Address { get; }

    public RpcChannel Channel { get; }

    public IDepot Client { get; }

    public HttpClient Http { get; } = new();

    public static async Task<DepotHost> StartAsync(
        Action<WebApplicationBuilder>? build = null, Action<WebApplication>? use = null, Func<RpcService, RpcService>? serve = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        build?.Invoke(builder);
        var app = builder.Build();
        use?.Invoke(app);
        var depot = new Depot();
        var service = DepotContract.Serve(depot);
        app.MapRpc(serve?.Invoke(service) ?? service, [new RpcJsonCodec()]);
        await app.StartAsync();
        return new(app, depot);
    }

    public async Task<HttpResponseMessage> SendAsync(string method, string path, string? body = null, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Address, path));
        if (body is not null)
            request.Content = new StringContent(body, System.Text.Encoding.UTF8, "application/json");
        foreach (var (name, value) in headers)
            request.Headers.TryAddWithoutValidation(name, value);
        return await Http.SendAsync(request);
    }

    public async ValueTask DisposeAsync()
    {
        Depot.Gate.Release(1_000_000);
        await Channel.DisposeAsync();
        Http.Dispose();
        await App.DisposeAsync();
    }
}
