using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a listener hears of calls, whatever carries them.</summary>
public sealed class TracingTests : IDisposable
{
    private readonly ActivitySource _tests = new("Postrider.SystemTests.Rpc.Tracing");
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;
    private readonly DeskTransports _transports = new();

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
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Servers_activity_is_the_child_of_the_callers(string transport)
    {
        await using var channel = (await _transports.StartAsync(transport, DeskContract.Serve(new Desk()).WithTracing())).WithTracing();
        var client = new DeskClient(channel);
        ActivityTraceId trace;

        using (var root = _tests.StartActivity("test"))
        {
            trace = root!.AddBaggage("tenant", "blue, \u2603").TraceId;
            Assert.Equal("aa", await client.JoinAsync("a", 2));
            await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101));
            Assert.Equal([1, 2], await client.CountToAsync(2).ToListAsync());
        }

        await StopAsync(3);
        AssertPairs(trace, [("Join", ActivityStatusCode.Unset), ("Buy", ActivityStatusCode.Error), ("CountTo", ActivityStatusCode.Unset)]);
    }

    [Fact]
    public async Task Servers_activity_is_the_child_of_the_callers_by_soap()
    {
        await using var app = await DeskHost.StartAsync(routes => routes.MapSoap("/desk.svc", DeskContract.Serve(new Desk()).WithTracing(), DeskXml.Default), HttpProtocols.Http1);
        await using var channel = new SoapChannel(new Uri(app.Urls.Single() + "/desk.svc"), DeskXml.Default).WithTracing();
        var client = new DeskClient(channel);
        ActivityTraceId trace;

        using (var root = _tests.StartActivity("test"))
        {
            trace = root!.AddBaggage("tenant", "blue, \u2603").TraceId;
            Assert.Equal("aa", await client.JoinAsync("a", 2));
            await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101));
        }

        await StopAsync(2);
        AssertPairs(trace, [("Join", ActivityStatusCode.Unset), ("Buy", ActivityStatusCode.Error)]);
    }

    public void Dispose()
    {
        _listener.Dispose();
        _tests.Dispose();
    }

    private void AssertPairs(ActivityTraceId trace, ReadOnlySpan<(string Operation, ActivityStatusCode Status)> expected)
    {
        foreach (var (operation, status) in expected)
        {
            var caller = Assert.Single(_ended, a => a.TraceId == trace && a.Kind == ActivityKind.Client && a.OperationName == $"desk/{operation}");
            var server = Assert.Single(_ended, a => a.TraceId == trace && a.Kind == ActivityKind.Server && a.OperationName == $"desk/{operation}");
            Assert.Equal((caller.SpanId, status, status), (server.ParentSpanId, server.Status, caller.Status));
            Assert.Equal("blue, \u2603", server.GetBaggageItem("tenant"));
        }
    }

    // Everything that runs has ended, and is heard, when this returns.
    private async Task StopAsync(int servers)
    {
        await _transports.DisposeAsync();
        await Eventually.HoldsAsync(() => _ended.Count(a => a.Kind == ActivityKind.Server) >= servers);
    }
}
