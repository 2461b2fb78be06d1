using System.Net;
using System.Text.Json;
using Grpc.Net.Client;
using MagicOnion.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;

namespace Postrider.Benchmarks.Peers.MagicOnion;

/// <summary>MagicOnion as it comes: MessagePack-CSharp's standard resolver over gRPC.</summary>
internal sealed class MagicOnionPeer : IRpcPeer
{
    private WebApplication? _app;
    private GrpcChannel? _channel;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddGrpc(options => options.MaxReceiveMessageSize = options.MaxSendMessageSize = null);
        builder.Services.AddMagicOnion();
        _app = builder.Build();
        _app.MapMagicOnionService([typeof(MagicEcho)]);
        await _app.StartAsync();
        _channel = GrpcChannel.ForAddress(_app.Urls.Single(), new GrpcChannelOptions { MaxReceiveMessageSize = null, MaxSendMessageSize = null });
        var echo = MagicOnionClient.Create<IMagicEcho>(_channel);
        return
        [
            new RpcSubject(
                RpcSubjects.MagicOnion,
                json => OtherCalls.List(JsonSerializer.Deserialize<List<MessagePack.Small>>(json)!, async items => await echo.SmallAsync(items)),
                json => OtherCalls.List(JsonSerializer.Deserialize<List<MessagePack.Large>>(json)!, async items => await echo.LargeAsync(items))),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        _channel?.Dispose();
        if (_app is not null)
            await _app.DisposeAsync();
    }
}
