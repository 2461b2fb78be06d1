using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Postrider.Benchmarks.Peers.Grpc;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Server;

namespace Postrider.Benchmarks.Peers.ProtobufNet;

/// <summary>protobuf-net.Grpc as it comes: contracts in code over gRPC for .NET.</summary>
internal sealed class ProtobufNetPeer : IRpcPeer
{
    private GrpcHost? _host;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        _host = await GrpcHost.StartAsync(static (services, options) => services.AddCodeFirstGrpc(options), static app => app.MapGrpcService<ProtobufNetEcho>());
        var echo = _host.Channel.CreateGrpcService<IProtobufNetEcho>();
        return
        [
            new RpcSubject(
                RpcSubjects.ProtobufNet,
                json => OtherCalls.List(JsonSerializer.Deserialize<List<Small>>(json)!, async items => (await echo.SmallAsync(new() { Items = items })).Items),
                json => OtherCalls.List(JsonSerializer.Deserialize<List<Large>>(json)!, async items => (await echo.LargeAsync(new() { Items = items })).Items)),
        ];
    }

    public ValueTask DisposeAsync() => _host?.DisposeAsync() ?? default;
}
