using System.Net;
using Grpc.AspNetCore.Server;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>A server of gRPC for .NET and a channel to it, for what is built on it too.</summary>
internal sealed class GrpcHost : IAsyncDisposable
{
    private readonly WebApplication _app;

    private GrpcHost(WebApplication app)
    {
        _app = app;
        Channel = GrpcChannel.ForAddress(app.Urls.Single(), new GrpcChannelOptions { MaxReceiveMessageSize = null, MaxSendMessageSize = null });
    }

    public GrpcChannel Channel { get; }

    public static async Task<GrpcHost> StartAsync(Action<IServiceCollection, Action<GrpcServiceOptions>> add, Action<WebApplication> map)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        add(builder.Services, options => options.MaxReceiveMessageSize = options.MaxSendMessageSize = null);
        var app = builder.Build();
        map(app);
        await app.StartAsync();
        return new(app);
    }

    public async ValueTask DisposeAsync()
    {
        Channel.Dispose();
        await _app.DisposeAsync();
    }
}
