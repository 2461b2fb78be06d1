using System.Net;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;
using Postrider.Benchmarks.Rpc.Protos;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>gRPC for .NET, with the code that its tools would write.</summary>
internal sealed class GrpcPeer : IRpcPeer
{
    private WebApplication? _app;
    private GrpcChannel? _channel;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddGrpc(options => options.MaxReceiveMessageSize = options.MaxSendMessageSize = null);
        _app = builder.Build();
        _app.MapGrpcService<GrpcEcho>();
        await _app.StartAsync();
        _channel = GrpcChannel.ForAddress(_app.Urls.Single(), new GrpcChannelOptions { MaxReceiveMessageSize = null, MaxSendMessageSize = null });
        var invoker = _channel.CreateCallInvoker();
        return
        [
            OtherCalls.Proto(
                RpcSubjects.Grpc,
                async items => await invoker.AsyncUnaryCall(GrpcMethods.Small, null, default, items),
                async items => await invoker.AsyncUnaryCall(GrpcMethods.Large, null, default, items)),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        _channel?.Dispose();
        if (_app is not null)
            await _app.DisposeAsync();
    }
}
