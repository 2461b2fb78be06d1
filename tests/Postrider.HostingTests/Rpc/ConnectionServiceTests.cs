using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap.Server;

namespace Postrider.HostingTests.Rpc;

/// <summary>Services with an implementation for each connection.</summary>
public sealed class ConnectionServiceTests
{
    private static readonly RpcJsonCodec s_codec = new(VisitJson.Default);

    public static TheoryData<string> Transports => ["socket", "websocket", "json"];

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Each_connection_has_an_object_that_keeps_its_state_and_ends_with_it(string transport)
    {
        await using var app = await StartAsync();
        var visits = app.Services.GetRequiredService<Visits>();
        var first = Connect(app, transport);
        await using var second = Connect(app, transport);

        Assert.Equal(1, await new VisitClient(first).CountAsync());
        Assert.Equal(1, await new VisitClient(second).CountAsync());
        Assert.Equal(2, await new VisitClient(first).CountAsync());

        // The contracts of a connection share its scope.
        Assert.Equal(visits.All[0].Scope.Number, await new GuestbookClient(first).ScopeAsync());
        Assert.Equal(visits.All[1].Scope.Number, await new GuestbookClient(second).ScopeAsync());
        Assert.Equal([1, 2], visits.All.Select(static visit => visit.Scope.Number));

        await first.DisposeAsync();
        await visits.All[0].Disposed.WaitAsync(TimeSpan.FromSeconds(30), Ct);
        Assert.Equal(2, await new VisitClient(second).CountAsync());
        await app.StopAsync(Ct);
        Assert.Equal([1, 1], visits.All.Select(static visit => visit.Disposals));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Connection_that_breaks_cancels_its_calls_and_disposes_after_the_last(string transport)
    {
        await using var app = await StartAsync();
        var visits = app.Services.GetRequiredService<Visits>();
        var abort = await BeginToStayAsync(app, transport);
        await Eventually.HoldsAsync(() => visits.All.Count == 1);
        var visit = visits.All[0];
        await visit.Entered.WaitAsync(TimeSpan.FromSeconds(30), Ct);

        abort();

        await visit.Cancelled.WaitAsync(TimeSpan.FromSeconds(30), Ct);
        Assert.Equal(0, visit.Disposals);
        visit.LetGo();
        await visit.Disposed.WaitAsync(TimeSpan.FromSeconds(30), Ct);
        Assert.Equal((1, 0), (visit.Disposals, visit.RunningAtDisposal));
        await app.StopAsync(Ct);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Server_that_stops_answers_the_running_call_and_disposes_before_the_host_has_stopped(string transport)
    {
        await using var app = await StartAsync();
        await using var channel = Connect(app, transport);
        var running = new VisitClient(channel).InsistAsync().AsTask();
        var visits = app.Services.GetRequiredService<Visits>();
        await Eventually.HoldsAsync(() => visits.All.Count == 1);
        var visit = visits.All[0];
        await visit.Entered.WaitAsync(TimeSpan.FromSeconds(30), Ct);
        visit.Scope.IsBroken = true;

        var stopping = app.StopAsync(Ct);
        Assert.Equal(0, visit.Disposals);
        visit.LetGo();

        Assert.Equal(7, await running);
        await stopping;
        Assert.Equal((1, 0), (visit.Disposals, visit.RunningAtDisposal));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Server_that_stops_waits_no_longer_than_allowed_for_a_call_that_ignores_its_cancellation(string transport)
    {
        var log = new Lines();
        await using var app = await StartAsync(new SocketServerOptions { DrainTimeout = TimeSpan.FromMilliseconds(20), Logger = log });
        await using var channel = Connect(app, transport);
        var running = new VisitClient(channel).InsistAsync().AsTask();
        var visits = app.Services.GetRequiredService<Visits>();
        await Eventually.HoldsAsync(() => visits.All.Count == 1);
        var visit = visits.All[0];
        await visit.Entered.WaitAsync(TimeSpan.FromSeconds(30), Ct);

        // The host itself would wait for 30 s.
        await app.StopAsync(Ct).WaitAsync(TimeSpan.FromSeconds(20), Ct);

        Assert.Equal(0, visit.Disposals);
        Assert.Equal("00:00:00.0200000 after the server closed its connections, services of 1 of them are still in use: calls ignore their cancellation token, or a disposal takes longer", Assert.Single(log.All.Skip(1)));
        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => running)).Status);
        visit.Scope.IsBroken = true;
        visit.LetGo();
        await Eventually.HoldsAsync(() => log.All.Count == 3);
        Assert.StartsWith("Disposing the services of the connection of 127.0.0.1:", log.All[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Transport_without_connections_refuses_the_service_with_its_name()
    {
        var builder = Builder();
        builder.AddPostriderBroker(static options => options.Listen = false);
        builder.AddPostriderClient();
        builder.Services.AddRpcNatsServer();
        await using var app = builder.Build();

        Assert.Equal(Refusal("HTTP"), Assert.Throws<InvalidOperationException>(() => app.MapRpc<IVisit>()).Message);
        Assert.Equal(Refusal("gRPC"), Assert.Throws<InvalidOperationException>(() => app.MapGrpc<IVisit>()).Message);
        Assert.Equal(Refusal("SOAP"), Assert.Throws<InvalidOperationException>(() => app.MapSoap<IVisit>("/visit.svc")).Message);
        Assert.Equal(Refusal("an in-process channel"), Assert.Throws<InvalidOperationException>(() => RpcServedContracts.Get<IVisit>(app.Services)).Message);
        Assert.Equal(Refusal("NATS"), (await Assert.ThrowsAsync<InvalidOperationException>(() => app.StartAsync(Ct))).Message);

        static string Refusal(string transport)
            => $"Postrider.HostingTests.Rpc.IVisit was added with AddRpcServicePerConnection, and calls over {transport} have no connection that could keep an implementation. Serve it over a socket (AddRpcSocketServer) or WebSockets (MapRpcWebSockets), or add it with AddRpcService<IVisit, TImplementation>(), which creates one for each call.";
    }

    [Fact]
    public async Task Socket_server_logs_its_address()
    {
        var log = new Lines();

        await using var app = await StartAsync(new SocketServerOptions { Logger = log });

        Assert.Equal([$"Listening for calls at {app.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint}"], log.All);
    }

    [Fact]
    public void Implementation_must_be_scoped()
    {
        var missing = Assert.Throws<InvalidOperationException>(static () => new ServiceCollection().AddRpcServicePerConnection<IVisit>());
        var shared = Assert.Throws<InvalidOperationException>(static () => new ServiceCollection().AddSingleton<IVisit, Visit>().AddRpcServicePerConnection<IVisit>());

        Assert.Equal("No implementation of Postrider.HostingTests.Rpc.IVisit is registered. Call AddRpcServicePerConnection<IVisit, TImplementation>(), or register the implementation before AddRpcServicePerConnection<IVisit>().", missing.Message);
        Assert.Equal("Postrider.HostingTests.Rpc.IVisit is registered as Singleton, so a connection cannot have an object of its own. Register it with AddScoped, or call AddRpcService<IVisit>().", shared.Message);
    }

    private static WebApplicationBuilder Builder()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.AddSingleton<Visits>().AddScoped<VisitScope>();
        builder.Services.AddRpcCodec(s_codec);
        builder.Services.AddRpcServicePerConnection<IVisit, Visit>().AddRpcServicePerConnection<IGuestbook, Guestbook>();
        return builder;
    }

    private static async Task<WebApplication> StartAsync(SocketServerOptions? options = null)
    {
        var builder = Builder();
        builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0), options);
        var app = builder.Build();
        app.UseWebSockets();
        app.MapRpcWebSockets("/rpc", options);
        await app.StartAsync(Ct);
        return app;
    }

    private static RpcChannel Connect(WebApplication app, string transport) => transport switch
    {
        "socket" => new SocketChannel(app.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint, s_codec),
        "websocket" => new WebSocketChannel(WebSocketAddress(app), s_codec),
        _ => WebSocketChannel.OverJson(WebSocketAddress(app), s_codec),
    };

    private static Uri WebSocketAddress(WebApplication app) => new UriBuilder(app.Urls.First()) { Scheme = "ws", Path = "/rpc" }.Uri;

    // Begins a call that lasts; the result breaks its connection: over JSON without a closing handshake.
    private static async Task<Action> BeginToStayAsync(WebApplication app, string transport)
    {
        if (transport != "json")
        {
            var channel = Connect(app, transport);
            _ = new VisitClient(channel).StayAsync(Ct).AsTask().ContinueWith(static call => call.Exception, Ct, TaskContinuationOptions.None, TaskScheduler.Default);
            return () => _ = channel.DisposeAsync().AsTask();
        }

        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("postrider.json");
        await socket.ConnectAsync(WebSocketAddress(app), Ct);
        await socket.SendAsync("""{"id":1,"call":"visit/Stay"}"""u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, Ct);
        return socket.Abort;
    }

    private sealed class Lines : ILogger
    {
        private readonly Lock _gate = new(); // guards _all
        private readonly List<string> _all = [];

        public IReadOnlyList<string> All
        {
            get
            {
                lock (_gate)
                    return [.. _all];
            }
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            lock (_gate)
                _all.Add(formatter(state, exception));
        }
    }
}
