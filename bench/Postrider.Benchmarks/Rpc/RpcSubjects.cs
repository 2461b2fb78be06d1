using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Turns;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.InProcess;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Server;
using Postrider.Rpc.Sockets;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The servers, all in this process, and a client of each.</summary>
internal sealed class RpcSubjects : IAsyncDisposable
{
    private readonly RpcCodec _packed = new RpcMessagePackCodec(CodecContext.Default);
    private readonly RpcCodec _json = new RpcJsonCodec(CodecJson.Default);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-bench-");
    private readonly List<IAsyncDisposable> _owned = [];
    private readonly ServiceEndpoint _service = EchoContract.Serve(new Echo());
    private SocketServer _tcp = null!;

    /// <summary>Who is measured.</summary>
    public Dictionary<string, IEcho> All { get; } = [];

    public static async Task<RpcSubjects> StartAsync()
    {
        var subjects = new RpcSubjects();
        await subjects.AddAsync();
        return subjects;
    }

    /// <summary>A client with its own channel to the TCP server.</summary>
    public EchoClient Connect(DispatchPattern pattern, int connections)
        => new(Own(new SocketChannel(_tcp.EndPoint, _packed, new SocketChannelOptions { Pattern = pattern, MaxConnections = connections })));

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
        var app = await StartHttpAsync();
        var address = new Uri(app.Urls.Single());
        All[Turn.Ours + " in process"] = new EchoClient(Own(new InProcessChannel(_service)));
        All[Turn.Ours + " socket"] = new EchoClient(Own(new SocketChannel(_tcp.EndPoint, _packed)));
        All[Turn.Ours + " Unix socket"] = new EchoClient(Own(new SocketChannel(unix.EndPoint, _packed)));
        All[Turn.Ours + " HTTP MessagePack"] = new EchoClient(Own(new HttpChannel(address, _packed)));
        All[Turn.Ours + " HTTP JSON"] = new EchoClient(Own(new HttpChannel(address, _json)));
        All["minimal API"] = new MinimalApi(new HttpClient { BaseAddress = address });
    }

    private async Task<WebApplication> StartHttpAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.WebHost.ConfigureKestrel(options => options.Limits.MaxRequestBodySize = null);
        builder.Services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, CodecJson.Default));
        var app = Own(builder.Build());
        app.MapRpc(_service, [_packed, _json]);
        app.MapPost("/small", (List<Small> items) => items);
        app.MapPost("/large", (List<Large> items) => items);
        await app.StartAsync();
        return app;
    }

    private T Own<T>(T thing)
        where T : IAsyncDisposable
    {
        _owned.Add(thing);
        return thing;
    }
}
