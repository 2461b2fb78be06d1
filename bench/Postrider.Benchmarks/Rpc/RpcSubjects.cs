using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc.Peers;
using Postrider.Benchmarks.Rpc.Protos;
using Postrider.Benchmarks.Turns;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Protobuf;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;
using Postrider.Sockets;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The servers, all in this process, and a client of each.</summary>
internal sealed class RpcSubjects : IAsyncDisposable
{
    public const string Socket = Turn.Ours + " socket";
    public const string HttpPacked = Turn.Ours + " HTTP MessagePack";
    public const string HttpJson = Turn.Ours + " HTTP JSON";
    public const string MinimalApi = "minimal API";
    public const string MemoryPack = "HTTP MemoryPack";
    public const string MessagePackCSharp = "HTTP MessagePack-CSharp";
    public const string Http2Packed = Turn.Ours + " HTTP/2 MessagePack";
    public const string Soap = Turn.Ours + " SOAP 1.1";
    public const string Grpc = "gRPC";
    public const string ProtobufNet = "protobuf-net.Grpc";
    public const string MagicOnion = "MagicOnion";
    public const string Orleans = "Orleans through its gateway";
    public const string OrleansInProcess = "Orleans in process";
    public const string CoreWcf = "CoreWCF Basic, WCF's client";

    private readonly RpcCodec _packed = new RpcMessagePackCodec(CodecContext.Default);
    // The options of the minimal API and of its client: names are compared by case, which is quicker than the web defaults.
    private readonly RpcCodec _json = new RpcJsonCodec(CodecJson.Default, JsonSerializerOptions.Default);
    private readonly RpcCodec _xml = new RpcXmlCodec(EchoXml.Default);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-bench-");
    private readonly List<IAsyncDisposable> _owned = [];
    private readonly List<RpcSubject> _all = [];
    private readonly RpcCodec _serializer = new RpcXmlSerializerCodec();
    private readonly RpcCodec _newtonsoft = new RpcNewtonsoftCodec(new Newtonsoft.Json.JsonSerializerSettings());
    private readonly RpcCodec _proto = new RpcProtobufCodec(EchoReflection.Descriptor);
    private readonly RpcCodec _bytes = new RpcBytesCodec(new RpcMessagePackCodec());
    private readonly List<ICodecPeer> _codecs =
    [
        new ContractCodec(isBinary: false), new ContractCodec(isBinary: true), new NewtonsoftCodec(), new XmlSerializerCodec(), new ProtobufCodec(),
        .. CodecPeers.Present("rpc"),
    ];
    private readonly RpcService _service = EchoContract.Serve(new Echo());
    private readonly RpcService _protoService = EchoProtoContract.Serve(new EchoProto());
    private readonly RpcService _bytesService = EchoBytesContract.Serve(new EchoBytes());
    private SocketServer _tcp = null!;

    /// <summary>Who is measured, ours first.</summary>
    public IReadOnlyList<RpcSubject> All => _all;

    public static async Task<RpcSubjects> StartAsync()
    {
        var subjects = new RpcSubjects();
        await subjects.AddAsync();
        return subjects;
    }

    /// <summary>A client with its own channel to the TCP server.</summary>
    public RpcSubject Connect(string name, DispatchPattern pattern, int connections)
        => RpcSubject.Of(name, new EchoClient(Own(new SocketChannel(_tcp.EndPoint, _packed, new SocketChannelOptions { Pattern = pattern, MaxConnections = connections }))));

    public async ValueTask DisposeAsync()
    {
        foreach (var owned in Enumerable.Reverse(_owned))
            await owned.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    private async Task AddAsync()
    {
        _tcp = Own(SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), _packed, _service));
        var unix = Own(SocketServer.Start(new UnixDomainSocketEndPoint(Path.Combine(_folder.FullName, "echo")), _packed, _service));
        // Peers have the framework's sockets, and so has HTTP/2, to which ours bring nothing.
        var (ours, theirs) = (await StartHttpAsync(isPolled: true), await StartHttpAsync(isPolled: false));
        var (address, peers, http2) = (new Uri(ours.Urls.First()), new Uri(theirs.Urls.First()), new Uri(theirs.Urls.Last()));
        Add(Turn.Ours + " in process", new InProcessChannel(_service));
        Add(Socket, new SocketChannel(_tcp.EndPoint, _packed));
        Add(Turn.Ours + " Unix socket", new SocketChannel(unix.EndPoint, _packed));
        Add(HttpPacked, new HttpChannel(address, _packed));
        Add(HttpPacked + ", framework's sockets", new HttpChannel(peers, _packed, new HttpChannelOptions { Engine = EngineKind.Sockets }));
        Add(Http2Packed, new HttpChannel(http2, _packed, new HttpChannelOptions { Version = HttpVersion.Version20 }));
        Add(HttpJson, new HttpChannel(address, _json));
        Add(Turn.Ours + " HTTP XML", new HttpChannel(address, _xml));
        Add(Turn.Ours + " HTTP XmlSerializer", new HttpChannel(new Uri(address, "/serializer"), _serializer));
        Add(Turn.Ours + " HTTP Newtonsoft", new HttpChannel(new Uri(address, "/newtonsoft"), _newtonsoft));
        _all.Add(OtherCalls.Proto(Turn.Ours + " HTTP Protobuf", new EchoProtoClient(Own(new HttpChannel(address, _proto)))));
        _all.Add(OtherCalls.Proto(Turn.Ours + " gRPC", new EchoProtoClient(Own(new RpcGrpcChannel(http2, _proto)))));
        _all.Add(OtherCalls.Bytes(Turn.Ours + " HTTP bytes", new EchoBytesClient(Own(new HttpChannel(address, _bytes)))));
        Add(Turn.Ours + " WebSocket", new WebSocketChannel(new Uri($"ws://{address.Authority}/ws"), _packed));
        await AddBrokerAsync();
        Add(Soap, new SoapChannel(new Uri(address, "/echo.svc"), EchoXml.Default));

        var client = new HttpClient { BaseAddress = peers };
        _all.Add(RpcSubject.Of(MinimalApi, new MinimalApi(client)));
        _all.Add(RpcSubject.Of("MVC JSON", new MvcJson(client)));
        var invoker = new HttpMessageInvoker(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null });
        _all.Add(new HttpPeer(invoker, peers, _codecs[0], "application/xml").Subject("MVC XML", "/mvc"));
        foreach (var codec in _codecs)
            _all.Add(new HttpPeer(invoker, peers, codec).Subject("HTTP " + codec.Name, PathOf(codec)));
        foreach (var peer in ForeignStacks.Present())
            _all.AddRange(await Own(peer).StartAsync());
    }

    private async Task AddBrokerAsync()
    {
        var broker = Own(await NatsBroker.StartAsync(new BrokerOptions { Host = "127.0.0.1", Port = BrokerOptions.RandomPort, MaxPayloadBytes = 16 * 1024 * 1024 }));
        var client = Own(await NatsClient.ConnectAsync(broker.Url!));
        var server = Own(await NatsClient.ConnectAsync(broker.Url!));
        Own(await server.ServeAsync(_service, [_packed]));
        Add(Turn.Ours + " NATS", new NatsChannel(client, _packed));
    }

    private void Add(string name, RpcChannel channel) => _all.Add(RpcSubject.Of(name, new EchoClient(Own(channel))));

    private async Task<WebApplication> StartHttpAsync(bool isPolled)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        if (isPolled)
            builder.WebHost.UseEpollSockets();
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.Limits.MaxRequestBodySize = null;
            options.Listen(IPAddress.Loopback, 0);
            options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
        });
        builder.Services.ConfigureHttpJsonOptions(options =>
        {
            // The names as the client's context has them, which is also what System.Text.Json is quickest with.
            options.SerializerOptions.PropertyNamingPolicy = null;
            options.SerializerOptions.PropertyNameCaseInsensitive = false;
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, CodecJson.Default);
        });
        builder.Services.AddControllers().AddApplicationPart(typeof(EchoController).Assembly).AddXmlDataContractSerializerFormatters();
        var app = Own(builder.Build());
        app.UseWebSockets();
        app.MapRpcWebSockets("/ws", Own(new WebSocketServer([_packed], [_service])));
        app.MapRpc(_service, [_packed, _json, _xml]);
        app.MapGroup("/serializer").MapRpc(_service, [_serializer]);
        app.MapGroup("/newtonsoft").MapRpc(_service, [_newtonsoft]);
        app.MapRpc(_protoService, [_proto]);
        app.MapGrpc(_protoService, [_proto]);
        app.MapRpc(_bytesService, [_bytes]);
        app.MapSoap("/echo.svc", _service, EchoXml.Default);
        app.MapControllers();
        app.MapPost("/small", (List<Small> items) => items);
        app.MapPost("/large", (List<Large> items) => items);
        foreach (var codec in _codecs)
            HttpPeer.Map(app, PathOf(codec), codec);
        await app.StartAsync();
        return app;
    }

    private static string PathOf(ICodecPeer codec) => "/" + codec.Name.Replace(' ', '-');

    private T Own<T>(T thing)
        where T : IAsyncDisposable
    {
        _owned.Add(thing);
        return thing;
    }
}
