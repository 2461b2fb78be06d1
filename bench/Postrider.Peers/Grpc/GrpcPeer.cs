using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>gRPC for .NET, with the code that its tools would write.</summary>
internal sealed class GrpcPeer : IRpcPeer
{
    private GrpcHost? _host;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        _host = await GrpcHost.StartAsync(static (services, options) => services.AddGrpc(options), static app => app.MapGrpcService<GrpcEcho>());
        var invoker = _host.Channel.CreateCallInvoker();
        return
        [
            OtherCalls.Proto(
                RpcSubjects.Grpc,
                async items => await invoker.AsyncUnaryCall(GrpcMethods.Small, null, default, items),
                async items => await invoker.AsyncUnaryCall(GrpcMethods.Large, null, default, items)),
        ];
    }

    public ValueTask DisposeAsync() => _host?.DisposeAsync() ?? default;
}
