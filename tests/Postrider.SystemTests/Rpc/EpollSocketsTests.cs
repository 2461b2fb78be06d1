using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Server.Polling;
using Postrider.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>Kestrel over the reactor; every other test of HTTP runs over it as well.</summary>
public sealed class EpollSocketsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Caller_that_leaves_is_noticed_while_its_request_is_handled()
    {
        var left = new TaskCompletionSource();
        var began = new TaskCompletionSource();
        await using var app = await DeskHost.StartAsync(routes => routes.MapGet("/wait", async context =>
        {
            began.SetResult();
            context.RequestAborted.Register(left.SetResult);
            await left.Task;
        }), HttpProtocols.Http1);
        using (var caller = new TcpClient())
        {
            await caller.ConnectAsync(IPAddress.Loopback, new Uri(app.Urls.Single()).Port);
            await caller.GetStream().WriteAsync("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"u8.ToArray());
            await began.Task.WaitAsync(Patience);
            Assert.False(left.Task.IsCompleted);
        }

        await left.Task.WaitAsync(Patience);
    }

    [Fact]
    public async Task Requests_whose_code_blocks_hold_no_other_connection_up()
    {
        using var gate = new ManualResetEventSlim();
        await using var app = await DeskHost.StartAsync(routes =>
        {
            routes.MapGet("/block", () => gate.Wait(Patience));
            routes.MapGet("/go", () => "gone");
        }, HttpProtocols.Http1);
        using var http = new HttpClient { BaseAddress = new Uri(app.Urls.Single()) };
        var blocked = Enumerable.Range(0, 6).Select(_ => http.GetStringAsync("/block")).ToList();
        try
        {
            for (var i = 0; i < 50; i++)
                Assert.Equal("gone", await http.GetStringAsync("/go").WaitAsync(Patience));
            Assert.DoesNotContain(blocked, call => call.IsCompleted);
        }
        finally
        {
            gate.Set();
        }

        await Task.WhenAll(blocked).WaitAsync(Patience);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(3_000_000)]
    public async Task Code_that_blocks_until_the_rest_of_its_request_is_there_gets_it(int length)
    {
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var app = await DeskHost.StartAsync(routes => routes.MapPost("/length", (HttpRequest request) =>
        {
            began.SetResult();
            // On purpose: code that was written for threads of its own.
            return new StreamReader(request.Body).ReadToEndAsync().Wait(Patience) ? "all" : "not all";
        }), HttpProtocols.Http1);
        using var caller = new TcpClient();
        await caller.ConnectAsync(IPAddress.Loopback, new Uri(app.Urls.Single()).Port);
        var stream = caller.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes($"POST /length HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"));
        await began.Task.WaitAsync(Patience);

        await stream.WriteAsync(new byte[length / 2]);
        await stream.WriteAsync(new byte[length - (length / 2)]);

        var answer = await new StreamReader(stream).ReadToEndAsync().WaitAsync(Patience);
        Assert.EndsWith("all", answer.Replace("\r\n0\r\n\r\n", "", StringComparison.Ordinal).TrimEnd(), StringComparison.Ordinal);
        Assert.DoesNotContain("not all", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Port_that_is_in_use_is_told_as_Kestrel_tells_it()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseEpollSockets().ConfigureKestrel(kestrel => kestrel.Listen((IPEndPoint)taken.LocalEndpoint));
        await using var app = builder.Build();

        var failure = await Assert.ThrowsAsync<IOException>(() => app.StartAsync());

        Assert.IsType<AddressInUseException>(failure.InnerException);
    }

    [Fact]
    public async Task Callback_of_a_connections_end_that_throws_ends_nothing_else()
    {
        var left = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseEpollSockets().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Use(next => connection =>
        {
            connection.ConnectionClosed.Register(() =>
            {
                left.TrySetResult();
                throw new InvalidOperationException("A callback.");
            });
            return next(connection);
        })));
        await using var app = builder.Build();
        app.MapGet("/", () => "here");
        await app.StartAsync();
        var address = new Uri(app.Urls.Single());
        using (var caller = new HttpClient())
            Assert.Equal("here", await caller.GetStringAsync(address));
        await left.Task.WaitAsync(Patience);

        using var other = new HttpClient();
        Assert.Equal("here", await other.GetStringAsync(address));
    }

    [Fact]
    public async Task Callbacks_of_a_connections_end_are_called_however_soon_it_is_disposed()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        for (var i = 0; i < 100; i++)
        {
            using var caller = new TcpClient();
            var accepting = listener.AcceptSocketAsync();
            await caller.ConnectAsync(IPAddress.Loopback, ((IPEndPoint)listener.LocalEndpoint).Port);
            var connection = EpollConnectionContext.Start(await accepting);
            var isTold = false;
            connection.ConnectionClosed.Register(() => Volatile.Write(ref isTold, true));

            await connection.DisposeAsync();

            Assert.True(Volatile.Read(ref isTold), $"connection {i}");
        }
    }

    [Fact]
    public async Task File_of_a_local_socket_serves()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-polled-");
        try
        {
            var path = Path.Combine(folder.FullName, "web.sock");
            var builder = WebApplication.CreateSlimBuilder();
            builder.Logging.ClearProviders();
            builder.WebHost.UseEpollSockets().ConfigureKestrel(kestrel => kestrel.ListenUnixSocket(path));
            await using var app = builder.Build();
            app.MapPost("/length", async (HttpRequest request) => (await new StreamReader(request.Body).ReadToEndAsync()).Length);
            await app.StartAsync();
            using var http = new HttpClient(new SocketsHttpHandler
            {
                ConnectCallback = async (_, ct) =>
                {
                    var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                    await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), ct);
                    return new NetworkStream(socket, ownsSocket: true);
                },
            });

            var answer = await http.PostAsync(new Uri("http://local/length"), new ByteArrayContent(Encoding.ASCII.GetBytes(new string('x', 3_000_000))));

            Assert.Equal("3000000", await answer.Content.ReadAsStringAsync());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Endpoints_may_be_left_to_the_frameworks_sockets()
    {
        var asked = new List<EndPoint>();
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseEpollSockets(endPoint =>
        {
            asked.Add(endPoint);
            return false;
        }).ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.MapGet("/", () => "here");
        await app.StartAsync();
        using var http = new HttpClient();

        Assert.Equal("here", await http.GetStringAsync(new Uri(app.Urls.Single())));
        Assert.Equal([new IPEndPoint(IPAddress.Loopback, 0)], asked);
    }
}

/// <summary>The contract over HTTP/1.1 by the framework's sockets at both ends.</summary>
public sealed class PortableHttpTests : StreamContract
{
    private WebApplication _app = null!;

    private protected override async ValueTask<Postrider.Rpc.RpcChannel> StartAsync(RpcService service)
    {
        var codec = new RpcMessagePackCodec(DeskMessages.Default);
        _app = await DeskHost.StartAsync(routes => routes.MapRpc(service, [codec]), HttpProtocols.Http1, polled: false);
        return new HttpChannel(new Uri(_app.Urls.Single()), codec, new HttpChannelOptions { Engine = EngineKind.Sockets });
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}
