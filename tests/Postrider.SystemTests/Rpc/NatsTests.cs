using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Rpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Soap;
using RpcService = Postrider.Rpc.RpcService;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over the broker in this process.</summary>
public class NatsTests : DuplexContract
{
    // The service speaks several; the caller says which.
    private static readonly RpcCodec[] s_codecs =
        [new RpcJsonCodec(DeskJson.Default), new RpcMessagePackCodec(DeskMessages.Default), new RpcXmlSerializerCodec()];

    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private NatsService _service = null!;

    private protected virtual RpcCodec Codec => s_codecs[1];

    [Fact]
    public async Task Discovery_shows_the_contract()
    {
        var info = await _client.Services.GetInfoAsync("desk").FirstAsync();

        Assert.Equal(("desk", "2.1.0"), (info.Name, info.Version));
        Assert.Contains(info.Endpoints, endpoint => endpoint is { Name: "Open", Subject: "desk.Open", QueueGroup: "q" });
    }

    [Fact]
    public async Task Request_without_a_content_type_speaks_the_first_codec()
    {
        var reply = await _client.RequestAsync<string, string>("desk.Join", """{"first":"x","times":3}""");

        Assert.Equal(("\"xxx\"", "application/json"), (reply.Data, reply.Headers?["Content-Type"]));
    }

    [Fact]
    public async Task Failure_is_one_of_a_service_for_others_and_counted()
    {
        var reply = await _client.RequestAsync<string, string>("desk.Buy", "101");

        Assert.Equal(
            ("422", "Only 100 are left.", "SoldOut", """{"left":100,"item":"tea"}"""),
            (reply.Headers?["Nats-Service-Error-Code"], reply.Headers?["Nats-Service-Error"], reply.Headers?["Rpc-Fault"], reply.Data));
        var figures = Assert.Single(_service.Statistics.Endpoints, endpoint => endpoint.Name == "Buy");
        Assert.Equal((1, 1, "422:Only 100 are left."), (figures.Requests, figures.Errors, figures.LastError));
    }

    [Fact]
    public async Task Service_that_nobody_serves_is_unavailable()
    {
        await _service.DisposeAsync();
        await _client.FlushAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Fact]
    public async Task Stream_without_a_link_is_refused_with_words()
    {
        var reply = await _client.RequestAsync<string, string>("desk.CountTo", "3");

        Assert.Equal(("501", "Unsupported"), (reply.Headers?["Nats-Service-Error-Code"], reply.Headers?["Rpc-Status"]));
    }

    [Fact]
    public async Task Stream_that_nobody_serves_is_unavailable()
    {
        await _service.DisposeAsync();
        await _client.FlushAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.CountToAsync(3).ToListAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Fact]
    public async Task Stream_whose_other_end_falls_silent_ends()
    {
        // An instance that gives a transport and is never heard again.
        await _service.DisposeAsync();
        await using var silent = _client.Subscribe<string>(
            "desk.CountTo", (message, ct) => message.ReplyAsync(new NatsHeaders { { "Rpc-Link", _client.NewInbox() } }, ct));
        await _client.FlushAsync();
        await using var channel = new NatsChannel(
            _client, new RpcMessagePackCodec(DeskMessages.Default), new NatsChannelOptions { PeerSilence = TimeSpan.FromMilliseconds(300) });

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).CountToAsync(3).ToListAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    [Fact]
    public async Task Stream_ends_when_its_service_does()
    {
        await using var items = Client.CountToAsync(-1).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());

        await _service.DisposeAsync();

        var failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await items.MoveNextAsync())
                Assert.True(items.Current < 0);
        });
        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.Equal("left", await NextAsync(Desk.Events));
    }

    // NATS has no word for it: the operation goes on until its time is over.
    [Fact]
    public override async Task Token_of_the_caller_ends_the_call_on_both_sides()
    {
        // On a loaded machine the time may be over before the token is cancelled: it gets more.
        for (var time = TimeSpan.FromSeconds(2); ; time *= 4)
        {
            using var end = new CancellationTokenSource();
            var waiting = Client.WaitInTimeAsync(new CallContext { Timeout = time }, end.Token).AsTask();
            await MeetAsync("began");
            await end.CancelAsync();
            if (await Assert.ThrowsAnyAsync<Exception>(() => waiting.WaitAsync(Patience)) is OperationCanceledException)
                break;
        }

        await MeetAsync("cancelled");
    }

    private async Task MeetAsync(string what)
    {
        while (await NextAsync(Desk.Events) != what)
        {
            // Of the time before.
        }
    }

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, MaxPayloadBytes = 8 * 1024 * 1024 });
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector });
        _service = await _client.ServeAsync(service, s_codecs, new NatsServiceOptions { DrainTimeout = TimeSpan.Zero });
        return new NatsChannel(_client, Codec);
    }

    private protected override async ValueTask StopAsync()
    {
        await _service.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }
}

public sealed class NatsXmlSerializerTests : NatsTests
{
    private protected override RpcCodec Codec => new RpcXmlSerializerCodec();
}

/// <summary>System.Text.Json at one end, Newtonsoft.Json at the other.</summary>
public sealed class NatsNewtonsoftTests : NatsTests
{
    private protected override RpcCodec Codec => new RpcNewtonsoftCodec();
}
