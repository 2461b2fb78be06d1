using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Sessions;
using Postrider.Rpc;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.InProcess;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Sockets;
using Postrider.Rpc.Tracing;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a listener hears of calls, whatever carries them.</summary>
public sealed class TracingTests : IDisposable
{
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly ActivitySource _tests = new("Postrider.SystemTests.Rpc.Tracing");
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;
    private readonly List<Func<ValueTask>> _stops = [];

    public TracingTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == RpcTracing.SourceName || source == _tests,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = _ended.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    [Theory]
    [InlineData("process")]
    [InlineData("socket")]
    [InlineData("http")]
    [InlineData("nats")]
    public async Task Servers_activity_is_the_child_of_the_callers(string transport)
    {
        await using var channel = (await StartAsync(transport, DeskContract.Serve(new Desk()).WithTracing())).WithTracing();
        var client = new DeskClient(channel);
        ActivityTraceId trace;

        using (var root = _tests.StartActivity("test"))
        {
            trace = root!.TraceId;
            Assert.Equal("aa", await client.JoinAsync("a", 2));
            await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101));
            Assert.Equal([1, 2], await client.CountToAsync(2).ToListAsync());
        }

        await StopAsync();
        foreach (var (operation, status) in (ReadOnlySpan<(string, ActivityStatusCode)>)[("Join", ActivityStatusCode.Unset), ("Buy", ActivityStatusCode.Error), ("CountTo", ActivityStatusCode.Unset)])
        {
            var caller = Assert.Single(_ended, a => a.TraceId == trace && a.Kind == ActivityKind.Client && a.OperationName == $"desk/{operation}");
            var server = Assert.Single(_ended, a => a.TraceId == trace && a.Kind == ActivityKind.Server && a.OperationName == $"desk/{operation}");
            Assert.Equal((caller.SpanId, status, status), (server.ParentSpanId, server.Status, caller.Status));
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        _tests.Dispose();
    }

    // Everything that runs has ended, and is heard, when this returns.
    private async Task StopAsync()
    {
        foreach (var stop in Enumerable.Reverse(_stops))
            await stop();
        for (var i = 0; i < 3000 && _ended.Count(a => a.Kind == ActivityKind.Server) < 3; i++)
            await Task.Delay(10);
    }

    private async Task<RpcChannel> StartAsync(string transport, ServiceEndpoint service)
    {
        switch (transport)
        {
            case "process":
                return new InProcessChannel(service);
            case "socket":
                var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, service);
                _stops.Add(server.DisposeAsync);
                return new SocketChannel(server.EndPoint, Codec);
            case "http":
                var (app, address) = await DeskHost.StartAsync(service, HttpProtocols.Http1);
                _stops.Add(app.DisposeAsync);
                return new HttpChannel(address, Codec);
            default:
                var broker = await global::Postrider.Broker.Hosting.Broker.StartAsync(new BrokerOptions { Listen = false });
                _stops.Add(broker.DisposeAsync);
                var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
                _stops.Add(client.DisposeAsync);
                var served = await client.ServeAsync(service, [Codec]);
                _stops.Add(served.DisposeAsync);
                return new NatsChannel(client, Codec);
        }
    }
}
