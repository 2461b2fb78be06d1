using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;

namespace Postrider.HostingTests.Rpc;

/// <summary>A web host that serves the ledger over HTTP, WebSockets and a socket.</summary>
internal sealed class LedgerHost : IAsyncDisposable
{
    private readonly WebApplication _app;

    private LedgerHost(WebApplication app) => _app = app;

    public static RpcCodec Codec { get; } = new RpcMessagePackCodec(LedgerMessages.Default);

    public static TheoryData<string> Transports => ["socket", "http", "websocket"];

    public Books Books => _app.Services.GetRequiredService<Books>();

    public SocketServer Server => _app.Services.GetRequiredService<RpcSocketServerService>().Server;

    public Uri Http => new(_app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());

    public static async Task<LedgerHost> StartAsync(Action<IServiceCollection>? configure = null, ServiceLifetime lifetime = ServiceLifetime.Scoped)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.AddSingleton<Books>();
        builder.Services.AddScoped<CallScope>();
        if (lifetime == ServiceLifetime.Singleton)
            builder.Services.AddSingleton<CallScope>();
        builder.Services.AddRpcCodec(Codec);
        builder.Services.AddRpcService<ILedger, Ledger>(lifetime);
        builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        configure?.Invoke(builder.Services);
        builder.Services.AddRpcAuthorization();
        var app = builder.Build();
        app.UseWebSockets();
        app.MapRpc<ILedger>();
        app.MapRpcWebSockets("/rpc");
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new LedgerHost(app);
    }

    public RpcChannel Connect(string transport) => transport switch
    {
        "socket" => new SocketChannel(Server.EndPoint, Codec),
        "http" => new HttpChannel(Http, Codec),
        "websocket" => new WebSocketChannel(new UriBuilder(Http) { Scheme = "ws", Path = "/rpc" }.Uri, Codec),
        _ => throw new ArgumentOutOfRangeException(nameof(transport), transport, null),
    };

    public Task StopAsync(CancellationToken ct) => _app.StopAsync(ct);

    public ValueTask DisposeAsync() => _app.DisposeAsync();
}
