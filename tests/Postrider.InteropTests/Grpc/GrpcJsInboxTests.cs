using System.Collections.Concurrent;
using System.Net;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Serialization;
using Postrider.Transport.Grpc;
using Postrider.Transports;

namespace Postrider.InteropTests.Grpc;

/// <summary>npm's <c>@grpc/grpc-js</c> sends messages and requests to the inbox, with the package's file and its own retries.</summary>
public sealed class GrpcJsInboxTests
{
    private static readonly string Proto = Path.Combine(Tools.Repository, "adapters", "Postrider.Transport.Grpc", "inbox.proto");

    [Fact]
    public async Task Grpc_js_sends_messages_requests_and_batches()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddSingleton<InboxLog>();
        builder.Services.AddPostrider();
        builder.Services.AddGrpcTransport("inbox", new JsonSerializerProvider(InboxJson.Default))
            .Command<InboxParcel>(new GrpcBinding("parcels") { Retry = AtLeastOnceBinding.DefaultRetry with { BaseDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(50) } })
            .Request<InboxPrice, string>(new TransportBinding("price"));
        await using var app = builder.Build();
        app.MapGrpcTransport("inbox");
        await app.StartAsync();

        var told = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "grpc-inbox.mjs"), new Uri(app.Urls.Single()).Authority, Proto);

        Assert.Equal(
            """
            ping 0
            send false
            retried receipt
            refused 3 Final The message was dead-lettered after 1 attempts (Final): An empty parcel is not sent.
            unreadable 3 Unreadable The message was dead-lettered after 1 attempts (Unreadable): The body is not a valid message.
            nobody 5 NoListener There is no listener at 'nowhere'.
            answer application/json "tea costs 4" c-1
            failed Postrider-Error=An empty parcel is not sent. Postrider-Error-Code=Refused
            batch 0:0 1:3Final 2:0
            """.ReplaceLineEndings("\n"),
            told);
        Assert.Equal(
            ["cup 1", "patience 3", "spoon 1", "tea 1 Ada grün"],
            app.Services.GetRequiredService<InboxLog>().Handled.Order(StringComparer.Ordinal));
    }
}

internal sealed partial record InboxParcel(string Item) : ICommand;

internal sealed partial record InboxPrice(string Item) : IQuery<string>;

internal sealed class InboxLog
{
    public ConcurrentQueue<string> Handled { get; } = new();
}

internal static class InboxHandlers
{
    [Handler]
    public static void Pack(InboxParcel parcel, MessageContext context, InboxLog log)
    {
        if (parcel.Item == "nothing")
            throw new PostriderException(PostriderError.Refused, "An empty parcel is not sent.");
        if (parcel.Item == "patience" && context.Delivery!.Count < 3)
            throw new InvalidOperationException("not yet");
        log.Handled.Enqueue(string.Join(' ', ((string?[])[parcel.Item, $"{context.Delivery!.Count}", context.Headers["Postrider-Key"], context.Headers["Colour"]]).Where(static part => part is not null)));
    }

    [Handler]
    public static string Price(InboxPrice price)
        => price.Item == "nothing" ? throw new PostriderException(PostriderError.Refused, "An empty parcel is not sent.") : $"{price.Item} costs 4";
}

[JsonSerializable(typeof(InboxParcel))]
[JsonSerializable(typeof(InboxPrice))]
[JsonSerializable(typeof(string))]
internal sealed partial class InboxJson : JsonSerializerContext;
