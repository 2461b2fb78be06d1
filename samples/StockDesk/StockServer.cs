using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap.Server;

namespace Postrider.Samples.StockDesk;

/// <summary>One contract, served over all transports at once.</summary>
public sealed class StockServer : IAsyncDisposable
{
    private readonly WebApplication _web;
    private readonly WebSocketServer _webSockets;
    private readonly SocketServer _sockets;
    private readonly NatsBroker _broker;
    private readonly NatsClient _client;
    private readonly NatsService _service;

    private StockServer(WebApplication web, WebSocketServer webSockets, SocketServer sockets, NatsBroker broker, NatsClient client, NatsService service)
        => (_web, _webSockets, _sockets, _broker, _client, _service) = (web, webSockets, sockets, broker, client, service);

    /// <summary>The address of HTTP, SOAP and WebSockets.</summary>
    public Uri Http => new(_web.Urls.First());

    /// <summary>The address of gRPC, over HTTP/2 without TLS.</summary>
    public Uri Grpc => new(_web.Urls.Last());

    /// <summary>The address of the multiplexed socket.</summary>
    public EndPoint Socket => _sockets.EndPoint;

    /// <summary>The address for NATS clients.</summary>
    public string Nats => _broker.Url!;

    /// <summary>Starts everything on the loopback address.</summary>
    /// <param name="httpPort">For HTTP, SOAP and WebSockets; 0 for a free one, as with the others.</param>
    /// <param name="socketPort">For the multiplexed socket.</param>
    /// <param name="natsPort">For the broker.</param>
    /// <param name="grpcPort">For gRPC.</param>
    public static async Task<StockServer> StartAsync(int httpPort = 0, int socketPort = 0, int natsPort = 0, int grpcPort = 0)
    {
        var stock = StockContract.Serve(new Stock());

        var broker = await NatsBroker.StartAsync(new BrokerOptions { Host = "127.0.0.1", Port = natsPort == 0 ? BrokerOptions.RandomPort : natsPort });
        var client = await NatsClient.ConnectAsync(new ClientOptions { Name = "stock-desk", Connector = broker.Connector });
        var service = await client.ServeAsync(stock, [Forms.Json, Forms.MessagePack]);

        var sockets = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, socketPort), Forms.MessagePack, stock);

        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, httpPort);
            kestrel.Listen(IPAddress.Loopback, grpcPort, static listen => listen.Protocols = HttpProtocols.Http2);
        });
        var web = builder.Build();
        var webSockets = new WebSocketServer([Forms.MessagePack, Forms.Json], [stock]);
        web.UseWebSockets();
        web.MapRpc(stock, [Forms.Json, Forms.MessagePack, Forms.Xml]);
        web.MapSoap("/stock.svc", stock, StockXml.Default);
        web.MapGrpc(stock, [Forms.Json, Forms.MessagePack]);
        web.MapRpcWebSockets("/ws", webSockets);
        await web.StartAsync();

        return new(web, webSockets, sockets, broker, client, service);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _web.DisposeAsync();
        await _webSockets.DisposeAsync();
        await _sockets.DisposeAsync();
        await _service.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }
}
