using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>Kestrel with the contract at <c>/api</c> in the codecs given and in two more.</summary>
internal static class DeskHost
{
    public static Task<(WebApplication App, Uri Address)> StartAsync(RpcService service, HttpProtocols protocols, params RpcCodec[] codecs)
        => StartWithAsync(service, protocols, [.. codecs, new RpcJsonCodec(DeskJson.Default), new RpcMessagePackCodec(DeskMessages.Default)]);

    public static async Task<(WebApplication App, Uri Address)> StartWithAsync(RpcService service, HttpProtocols protocols, IReadOnlyList<RpcCodec> codecs)
    {
        var app = await StartAsync(routes => routes.MapGroup("/api").MapRpc(service, codecs), protocols);
        return (app, new Uri(app.Urls.Single() + "/api"));
    }

    /// <summary>Kestrel on a free port with whatever is mapped.</summary>
    /// <param name="map">What is served.</param>
    /// <param name="protocols">What is spoken.</param>
    /// <param name="polled">Whether by <see cref="EpollSocketsWebHostBuilderExtensions.UseEpollSockets"/>.</param>
    public static async Task<WebApplication> StartAsync(Action<WebApplication> map, HttpProtocols protocols, bool polled = true)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        if (polled)
            builder.WebHost.UseEpollSockets();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = protocols));
        var app = builder.Build();
        app.UseWebSockets();
        map(app);
        await app.StartAsync();
        return app;
    }
}
