using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract in every way that goes through Kestrel, for those who do not keep to the rules.</summary>
public sealed class BadInputHost : IAsyncLifetime
{
    private readonly WebSocketServer _webSockets = new([new RpcMessagePackCodec(DeskMessages.Default), new RpcJsonCodec(DeskJson.Default)], [DeskContract.Serve(new Desk())]);
    private WebApplication _app = null!;

    /// <summary>Speaks HTTP/1.1: <c>/api/desk/…</c>, <c>/desk.svc</c>, <c>/rpc</c> for WebSockets.</summary>
    public IPEndPoint Http1 { get; private set; } = null!;

    /// <summary>The same in HTTP/2 without TLS.</summary>
    public IPEndPoint Http2 { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);
            kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2);
        });
        _app = builder.Build();
        _app.UseWebSockets();
        var service = DeskContract.Serve(new Desk());
        _app.MapGroup("/api").MapRpc(service, [new RpcJsonCodec(DeskJson.Default), new RpcMessagePackCodec(DeskMessages.Default), new RpcXmlCodec(DeskXml.Default)]);
        _app.MapGroup("/api").MapRpc(ShelfContract.Serve(new Shelf()), [new RpcJsonCodec(ShelfJson.Default)]);
        _app.MapGroup("/api").MapRpc(DepotContract.Serve(new Depot()), [new RpcJsonCodec()]);
        _app.MapSoap("/desk.svc", service, DeskXml.Default);
        _app.MapRpcWebSockets("/rpc", _webSockets);
        await _app.StartAsync();
        var ports = _app.Urls.Select(static url => new IPEndPoint(IPAddress.Loopback, new Uri(url).Port)).ToArray();
        (Http1, Http2) = (ports[0], ports[1]);
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        await _webSockets.DisposeAsync();
    }
}
