using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Server;
using Postrider.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>The desk, served by one transport or another.</summary>
internal sealed class DeskTransports : IAsyncDisposable
{
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly List<Func<ValueTask>> _stops = [];

    /// <summary>Every transport by its name.</summary>
    public static TheoryData<string> All => ["process", "socket", "portable socket", "http", "websocket", "grpc", "nats"];

    /// <summary>Serves it by one of them.</summary>
    public async Task<RpcChannel> StartAsync(string transport, RpcService service)
    {
        switch (transport)
        {
            case "process":
                return new InProcessChannel(service);
            case "socket" or "portable socket":
                var engine = transport == "socket" ? EngineKind.Auto : EngineKind.Sockets;
                var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, service, new SocketServerOptions { Engine = engine });
                _stops.Add(server.DisposeAsync);
                return new SocketChannel(server.EndPoint, Codec, new SocketChannelOptions { Engine = engine });
            case "http":
                var (app, address) = await DeskHost.StartAsync(service, HttpProtocols.Http1);
                _stops.Add(app.DisposeAsync);
                return new HttpChannel(address, Codec);
            case "websocket":
                var sockets = new WebSocketServer([Codec], [service]);
                var socketApp = await DeskHost.StartAsync(routes => routes.MapRpcWebSockets("/rpc", sockets), HttpProtocols.Http1);
                _stops.Add(socketApp.DisposeAsync);
                return new WebSocketChannel(new Uri(socketApp.Urls.Single().Replace("http", "ws", StringComparison.Ordinal) + "/rpc"), Codec);
            case "grpc":
                var grpcApp = await DeskHost.StartAsync(routes => routes.MapGrpc(service, [Codec]), HttpProtocols.Http2);
                _stops.Add(grpcApp.DisposeAsync);
                return new RpcGrpcChannel(new Uri(grpcApp.Urls.Single()), Codec);
            default:
                var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
                _stops.Add(broker.DisposeAsync);
                var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
                _stops.Add(client.DisposeAsync);
                var served = await client.ServeAsync(service, [Codec]);
                _stops.Add(served.DisposeAsync);
                return new NatsChannel(client, Codec);
        }
    }

    /// <summary>Everything that runs has ended when this returns.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var stop in Enumerable.Reverse(_stops))
            await stop();
        _stops.Clear();
    }
}
