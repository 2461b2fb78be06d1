using System.Net;
using System.Text;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;

namespace Postrider.SystemTests.Rpc;

/// <summary>Bodies that are no messages, over every transport and in every codec: the caller is told of its mistake in words that name nothing of the server.</summary>
public sealed class ErrorTextTests : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _running = [];

    public static TheoryData<string, string, string> Bodies
    {
        get
        {
            string[] json = ["{\"subject\":5}", "[]", "\"x\"", "5", "true", "{\"id\":\"zz\",\"subject\":\"a\",\"tags\":[]}", "{\"first\":{},\"times\":\"x\",\"id\":[],\"tags\":7}", "1e999", "[[[[[[[[[[1]]]]]]]]]]"];
            string[] brokenJson = ["{", "{\"id\":", "nul", "{} {}", "\"\\ud800\"", "\u0001"];
            string[] packed = ["C1", "93C0", "93C0C0C0", "A178", "DFFFFFFFFF", "C4FF", "93A178A178C0", "CB7FF8000000000000", "90C0"];
            string[] xml = ["<a/>", "<a>", "text", "<parameters><times>x</times><first/></parameters>", "<Ticket><Id>x</Id></Ticket>", "<int>x</int>", "<!DOCTYPE a []><a/>", "<int>99999999999</int>"];
            var rows = new TheoryData<string, string, string>();
            foreach (var transport in (string[])["socket", "http", "websocket", "grpc", "nats"])
            {
                // A text that is no JSON cannot be part of a WebSocket's message: what comes of such a message, WebSocketBadInputTests has.
                foreach (var body in transport == "websocket" ? json : [.. json, .. brokenJson])
                    rows.Add(transport, "json", body);
                foreach (var body in transport == "http" ? [.. json, .. brokenJson] : Array.Empty<string>())
                    rows.Add(transport, "newtonsoft", body);
                foreach (var body in packed)
                    rows.Add(transport, "msgpack", body);
                foreach (var body in transport == "websocket" ? [] : xml)
                    rows.Add(transport, "xml", body);
            }

            return rows;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var running in Enumerable.Reverse(_running))
            await running.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Bad_body_is_the_callers_mistake_and_told_without_words_of_the_platform(string transport, string form, string body)
    {
        RpcCodec codec = form switch
        {
            "json" => new RpcJsonCodec(DeskJson.Default),
            "newtonsoft" => new RpcNewtonsoftCodec(),
            "msgpack" => new RpcMessagePackCodec(DeskMessages.Default),
            _ => new RpcXmlSerializerCodec(),
        };
        var desk = new DeskClient(await StartAsync(transport, DeskContract.Serve(new Desk()), codec, new GarbledCodec(codec, form == "msgpack" ? Convert.FromHexString(body) : Encoding.UTF8.GetBytes(body))));

        Func<Task>[] calls = [() => desk.OpenAsync(new(Guid.Empty, "", [])).AsTask(), () => desk.JoinAsync("a", 1), () => desk.BuyAsync(1).AsTask()];
        foreach (var call in calls)
        {
            // What one operation takes for its message may be another's mistake.
            if (await Record.ExceptionAsync(() => call().WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken)) is not { } failure)
                continue;
            var told = Assert.IsAssignableFrom<RpcException>(failure);
            Assert.True(told.Status is RpcStatus.InvalidData, $"{told.Status}: {told.Message}");
            PlatformWords.None(told.Message);
        }
    }

    private async Task<RpcChannel> StartAsync(string transport, RpcService service, RpcCodec served, RpcCodec sent)
    {
        var channel = await MakeAsync(transport, service, served, sent);
        _running.Add(channel);
        return channel;
    }

    private async Task<RpcChannel> MakeAsync(string transport, RpcService service, RpcCodec served, RpcCodec sent)
    {
        switch (transport)
        {
            case "socket":
                var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), served, service);
                _running.Add(server);
                return new SocketChannel(server.EndPoint, sent);
            case "http":
                var (http, address) = await DeskHost.StartWithAsync(service, HttpProtocols.Http1, [served]);
                _running.Add(http);
                return new HttpChannel(address, sent);
            case "websocket":
                var sockets = new WebSocketServer([served], [service]);
                var app = await DeskHost.StartAsync(routes => routes.MapRpcWebSockets("/rpc", sockets), HttpProtocols.Http1);
                _running.Add(app);
                return new WebSocketChannel(new Uri(app.Urls.Single().Replace("http", "ws", StringComparison.Ordinal) + "/rpc"), sent);
            case "grpc":
                var grpc = await DeskHost.StartAsync(routes => routes.MapGrpc(service, [served]), HttpProtocols.Http2);
                _running.Add(grpc);
                return new RpcGrpcChannel(new Uri(grpc.Urls.Single()), sent);
            default:
                var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
                _running.Add(broker);
                var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
                _running.Add(client);
                _running.Add(await client.ServeAsync(service, [served]));
                return new NatsChannel(client, sent);
        }
    }
}
