using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>What ends calls by SOAP before their answer.</summary>
public sealed class SoapLimitTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Desk _desk = new();
    private WebApplication _app = null!;
    private SoapChannel _channel = null!;
    private DeskClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _app = await DeskHost.StartAsync(routes => routes.MapSoap("/desk.svc", DeskContract.Serve(_desk), DeskXml.Default), HttpProtocols.Http1);
        _channel = new SoapChannel(new Uri(_app.Urls.Single() + "/desk.svc"), DeskXml.Default);
        _client = new DeskClient(_channel);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _app.DisposeAsync();
    }

    [Fact]
    public async Task Time_without_an_end_is_no_limit()
    {
        foreach (var time in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue, TimeSpan.FromDays(60) })
            Assert.StartsWith("none ", await _client.EchoHeadersAsync("a", new CallContext { Timeout = time }).AsTask().WaitAsync(Patience), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_whose_time_is_over_before_it_begins_is_not_sent()
    {
        foreach (var time in new[] { TimeSpan.Zero, TimeSpan.FromSeconds(-5), TimeSpan.MinValue })
        {
            var failure = await Assert.ThrowsAsync<RpcException>(() => _client.WaitInTimeAsync(new CallContext { Timeout = time }).AsTask().WaitAsync(Patience));
            Assert.Equal((RpcStatus.DeadlineExceeded, "desk/WaitInTime exceeded its deadline."), (failure.Status, failure.Message));
        }

        Assert.Equal(0, _desk.Events.Reader.Count);
    }

    [Fact]
    public async Task What_is_under_way_fails_when_its_channel_is_disposed_and_nothing_begins()
    {
        var waiting = _client.WaitAsync().AsTask();
        Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await _channel.DisposeAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(Patience));
        var later = await Assert.ThrowsAsync<RpcException>(() => _client.CountAsync().AsTask().WaitAsync(Patience));
        Assert.Equal((RpcStatus.Unavailable, "The channel is closed."), (failure.Status, failure.Message));
        Assert.Equal((RpcStatus.Unavailable, "The channel is closed."), (later.Status, later.Message));
        Assert.Equal("cancelled", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Callers_token_is_named_by_the_exception()
    {
        using var end = new CancellationTokenSource();
        var waiting = _client.WaitAsync(end.Token).AsTask();
        Assert.Equal("began", await _desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await end.CancelAsync();

        Assert.Equal(end.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience))).CancellationToken);
    }

    [Fact]
    public void Address_of_another_kind_is_refused()
    {
        var refused = Assert.Throws<ArgumentException>(static () => new SoapChannel(new Uri("ftp://localhost/desk.svc")));

        Assert.Contains("must begin with http:// or https://", refused.Message, StringComparison.Ordinal);
    }
}
