using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Guides;

/// <summary>The terminal sessions of docs/guide/rpc.md, in front of the service that the page shows.</summary>
public sealed class RpcGuideTests
{
    internal const string Guide = "docs/guide/rpc.md";

    [Fact]
    public async Task Service_answers_curl_as_the_page_says()
    {
        var blocks = GuideBlock.Read(await File.ReadAllTextAsync(Checkout.PathOf(Guide), TestContext.Current.CancellationToken));
        using var folder = new GuideFolder(blocks);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        await using var app = builder.Build();
        app.Urls.Add($"http://127.0.0.1:{folder.PortOf("5000")}");
        app.MapRpc(OrdersContract.Serve(new Orders()), [new RpcJsonCodec(MessagesJson.Default), new RpcMessagePackCodec(Messages.Default)]);
        await app.StartAsync(TestContext.Current.CancellationToken);
        await using var session = new TerminalSession(blocks, folder);

        var differences = await session.RunAsync();

        await GuideDifference.NoneAsync(differences, Checkout.PathOf(Guide));
    }
}
