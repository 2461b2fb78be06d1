using System.Text;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Net.Client.Web;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Grpc.Net.Client as a browser's page has it, over HTTP/1.1, through the middleware of Grpc.AspNetCore.Web.</summary>
public sealed class GrpcWebTests : IAsyncLifetime
{
    private static readonly Marshaller<string> Text = Marshallers.Create(Encoding.UTF8.GetBytes, Encoding.UTF8.GetString);

    private WebApplication _app = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<GrpcWebMode> Modes => [GrpcWebMode.GrpcWeb, GrpcWebMode.GrpcWebText];

    public async ValueTask InitializeAsync()
        => _app = await DeskHost.StartAsync(
            app =>
            {
                app.UseGrpcWeb();
                app.MapGrpc(DeskContract.Serve(new Desk()), [new RpcJsonCodec(DeskJson.Default)], "post.v1").EnableGrpcWeb();
                app.MapGrpc(DeskContract.Serve(new Desk()), [new RpcJsonCodec(DeskJson.Default)], "closed.v1");
            },
            HttpProtocols.Http1);

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Call_is_answered(GrpcWebMode mode)
    {
        using var channel = Channel(mode);

        var answer = await channel.CreateCallInvoker().AsyncUnaryCall(Method("post.v1", "Join", MethodType.Unary), null, new(cancellationToken: Ct), """{"first":"ab","times":3,"separator":"-"}""");

        Assert.Equal("\"ab-ab-ab\"", answer);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Items_come_one_by_one_and_the_status_after_them(GrpcWebMode mode)
    {
        using var channel = Channel(mode);
        using var call = channel.CreateCallInvoker().AsyncServerStreamingCall(Method("post.v1", "CountTo", MethodType.ServerStreaming), null, new(cancellationToken: Ct), "13");
        var items = new List<string>();

        var failure = await Assert.ThrowsAsync<global::Grpc.Core.RpcException>(async () =>
        {
            while (await call.ResponseStream.MoveNext(Ct))
                items.Add(call.ResponseStream.Current);
        });

        Assert.Equal(Enumerable.Range(1, 12).Select(number => $"{number}"), items);
        Assert.Equal((StatusCode.InvalidArgument, "13 is not counted."), (failure.StatusCode, failure.Status.Detail));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Operation_that_is_not_there_is_unimplemented(GrpcWebMode mode)
    {
        using var channel = Channel(mode);

        var failure = await Assert.ThrowsAsync<global::Grpc.Core.RpcException>(async () => await channel.CreateCallInvoker().AsyncUnaryCall(Method("post.v1", "Nothing", MethodType.Unary), null, new(cancellationToken: Ct), ""));

        Assert.Equal(StatusCode.Unimplemented, failure.StatusCode);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public async Task Service_that_is_not_enabled_is_refused(GrpcWebMode mode)
    {
        using var channel = Channel(mode);

        var failure = await Assert.ThrowsAsync<global::Grpc.Core.RpcException>(async () => await channel.CreateCallInvoker().AsyncUnaryCall(Method("closed.v1", "Count", MethodType.Unary), null, new(cancellationToken: Ct), ""));

        Assert.Contains("426", failure.Status.Detail, StringComparison.Ordinal);
    }

    private static Method<string, string> Method(string package, string name, MethodType type) => new(type, $"{package}.desk", name, Text, Text);

    private GrpcChannel Channel(GrpcWebMode mode)
        => GrpcChannel.ForAddress(_app.Urls.Single(), new GrpcChannelOptions { HttpHandler = new GrpcWebHandler(mode, new HttpClientHandler()), HttpVersion = new Version(1, 1) });
}
