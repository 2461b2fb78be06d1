using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Protobuf;
using Postrider.Rpc.Server;

namespace Postrider.InteropTests.Grpc;

/// <summary>gRPC beside npm's <c>@grpc/grpc-js</c>, both ways.</summary>
public sealed class GrpcJsTests
{
    private const string Package = "postrider.shop.v1";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly RpcProtobufCodec Codec = new(ShopReflection.Descriptor);
    private static readonly string Proto = Path.Combine(Tools.Repository, "tests", "Postrider.InteropTests", "proto", "shop.proto");

    [Fact]
    public async Task Grpc_js_calls_our_service()
    {
        var shop = new Shop();
        await using var app = await StartAsync(shop);

        var told = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "grpc-client.mjs"), new Uri(app.Urls.Single()).Authority, Proto);

        Assert.Equal(
            """
            unary {"number":"2","text":"tea a+b eur=5000000000 Card north"} headers postrider
            scalars {"value":42}
            fault 9 Only 3 größere are left. | 9 Only 3 größere are left. | type.googleapis.com/postrider.shop.v1.OutOfStock glass 3 object
            status 7 Not for you.
            internal 13 The operation failed.
            server stream tea 1,tea 2,tea 3,tea 4 8 4 are enough.
            server stream to its end 3
            client stream {"number":"499500","text":"xxxx"}
            duplex tea, after tea, after after tea
            deadline 4
            cancel 1 Cancelled on client
            unknown operation 12 No service implements postrider.shop.v1.Shop/Nothing.
            at once true
            """.ReplaceLineEndings("\n"),
            told);
        Assert.Equal("tick", await LastAsync(shop));
    }

    [Fact]
    public async Task We_call_a_service_of_grpc_js()
    {
        await using var server = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "grpc-server.mjs"), Proto);
        await using var channel = new RpcGrpcChannel(new Uri($"http://127.0.0.1:{await server.NextLineOrEndAsync()}"), Codec, new RpcGrpcChannelOptions { Package = Package, Timeout = Patience });
        var shop = new ShopClient(channel);

        var context = new CallContext { Timeout = Patience, Headers = { ["tenant"] = "north" } };
        var receipt = await shop.BuyAsync(new Order { Item = "tea", Quantity = 2, Tags = { "a", "b" }, Prices = { ["eur"] = 5_000_000_000 } }, context);
        Assert.Equal(new Receipt { Number = 2, Text = "tea a+b eur=5000000000 north true" }, receipt);
        Assert.Equal(("grpc-js", "yes"), (context.ResponseHeaders["served-by"], context.ResponseHeaders["trailing"]));
        Assert.Equal(42, await shop.AddAsync(-2, 44));

        var refused = await Assert.ThrowsAsync<RpcException>(async () => await shop.BuyAsync(new Order { Item = "secret" }, new CallContext()));
        Assert.Equal((RpcStatus.Forbidden, "Not for you: größer."), (refused.Status, refused.Message));
        var fault = await Assert.ThrowsAsync<RpcFaultException<OutOfStock>>(async () => await shop.BuyAsync(new Order { Item = "glass" }, new CallContext()));
        Assert.Equal((new OutOfStock { Item = "glass", Left = 3 }, "Only 3 are left."), (fault.Detail, fault.Message));

        var listed = new List<int>();
        var busy = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (var order in shop.ListAsync(new Filter { Most = 9 }))
                listed.Add(order.Quantity);
        });
        Assert.Equal([1, 2, 3, 4], listed);
        Assert.Equal((RpcStatus.Busy, "4 are enough."), (busy.Status, busy.Message));
        Assert.Equal(3, await shop.ListAsync(new Filter { Most = 3 }).CountAsync());

        var filled = await shop.FillAsync(Enumerable.Range(0, 1000).Select(i => new Order { Item = i % 250 == 0 ? "x" : "", Quantity = i }).ToAsyncEnumerable());
        Assert.Equal(new Receipt { Number = 499_500, Text = "xxxx" }, filled);
        Assert.Equal(["tea", "after tea", "after after tea"], await TradeAsync(shop).WaitAsync(Patience));

        var calls = Enumerable.Range(0, 500).Select(i => shop.AddAsync(i, 1).AsTask()).ToList();
        Assert.Equal(Enumerable.Range(1, 500), await Task.WhenAll(calls).WaitAsync(Patience));
    }

    [Fact]
    public async Task Deadlines_and_cancelling_reach_a_service_of_grpc_js()
    {
        await using var server = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "grpc-server.mjs"), Proto);
        await using var channel = new RpcGrpcChannel(new Uri($"http://127.0.0.1:{await server.NextLineOrEndAsync()}"), Codec, new RpcGrpcChannelOptions { Package = Package });
        var shop = new ShopClient(channel);

        using var giveUp = new CancellationTokenSource();
        var waiting = shop.WaitAsync(new CallContext { Timeout = Patience }, giveUp.Token).AsTask();
        Assert.Equal("waiting", await server.NextLineOrEndAsync());
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        Assert.Equal("cancelled wait", await server.NextLineOrEndAsync());

        var late = await Assert.ThrowsAsync<RpcException>(() => shop.WaitAsync(new CallContext { Timeout = TimeSpan.FromMilliseconds(500) }).AsTask().WaitAsync(Patience));
        Assert.Equal(RpcStatus.DeadlineExceeded, late.Status);

        await foreach (var tick in shop.TickAsync(new CallContext()))
        {
            if (tick == 3)
                break;
        }

        var told = new List<string?>();
        do
            told.Add(await server.NextLineOrEndAsync());
        while (told[^1] is not (null or "cancelled tick"));
        Assert.Equal("cancelled tick", told[^1]);
    }

    private static async Task<WebApplication> StartAsync(Shop shop)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        var app = builder.Build();
        app.MapGrpc(ShopContract.Serve(shop), [Codec], Package);
        await app.StartAsync();
        return app;
    }

    private static async Task<List<string>> TradeAsync(ShopClient shop)
    {
        var orders = System.Threading.Channels.Channel.CreateUnbounded<Order>();
        await orders.Writer.WriteAsync(new Order { Item = "tea" });
        var heard = new List<string>();
        await foreach (var receipt in shop.TradeAsync(orders.Reader.ReadAllAsync()))
        {
            heard.Add(receipt.Text);
            if (heard.Count == 3)
                orders.Writer.Complete();
            else
                await orders.Writer.WriteAsync(new Order { Item = "after " + receipt.Text });
        }

        return heard;
    }

    // The call whose time was over came before, when it came at all.
    private static async Task<string> LastAsync(Shop shop)
    {
        var ended = await shop.Ended.Reader.ReadAsync().AsTask().WaitAsync(Patience);
        return ended == "wait in time" ? await LastAsync(shop) : ended;
    }
}
