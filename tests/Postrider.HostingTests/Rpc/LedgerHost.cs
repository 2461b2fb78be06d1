using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Server;

namespace Postrider.HostingTests.Rpc;

/// <summary>A web host that serves the ledger over every transport.</summary>
internal sealed class LedgerHost : IAsyncDisposable
{
    private readonly WebApplication _app;

    private LedgerHost(WebApplication app) => _app = app;

    public static RpcCodec Codec { get; } = new RpcMessagePackCodec(LedgerMessages.Default);

    public static TheoryData<string> Transports => ["socket", "http", "websocket", "grpc", "nats"];

    public Books Books => _app.Services.GetRequiredService<Books>();

    public SocketServer Server => _app.Services.GetRequiredService<RpcSocketServerService>().Server;

    public Uri Http => Address(0);

    public static async Task<LedgerHost> StartAsync(Action<IServiceCollection>? configure = null, ServiceLifetime lifetime = ServiceLifetime.Scoped)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);
            kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2);
        });
        builder.Services.AddSingleton<Books>();
        builder.Services.AddScoped<CallScope>();
        if (lifetime == ServiceLifetime.Singleton)
            builder.Services.AddSingleton<CallScope>();
        builder.Services.AddRpcCodec(Codec);
        builder.Services.AddRpcService<ILedger, Ledger>(lifetime);
        builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        builder.AddPostriderBroker(static options => options.Listen = false);
        builder.AddPostriderClient();
        builder.Services.AddRpcNatsServer();
        configure?.Invoke(builder.Services);
        builder.Services.AddRpcAuthorization();
        var app = builder.Build();
        app.UseWebSockets();
        app.MapRpc<ILedger>();
        app.MapRpcWebSockets("/rpc");
        app.MapGrpc<ILedger>("ledgers.v1");
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new LedgerHost(app);
    }

    public RpcChannel Connect(string transport) => transport switch
    {
        "socket" => new SocketChannel(Server.EndPoint, Codec),
        "http" => new HttpChannel(Http, Codec),
        "websocket" => new WebSocketChannel(new UriBuilder(Http) { Scheme = "ws", Path = "/rpc" }.Uri, Codec),
        "grpc" => new RpcGrpcChannel(Address(1), Codec, new RpcGrpcChannelOptions { Package = "ledgers.v1" }),
        "nats" => new NatsChannel(_app.Services.GetRequiredService<NatsClient>(), Codec),
        _ => throw new ArgumentOutOfRangeException(nameof(transport), transport, null),
    };

    public Task StopAsync(CancellationToken ct) => _app.StopAsync(ct);

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private Uri Address(int listener) => new(_app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.ElementAt(listener));
}
