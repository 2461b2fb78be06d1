using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Protobuf;

namespace Postrider.InteropTests.Grpc;

/// <summary>gRPC's reflection service, asked by <c>@grpc/grpc-js</c>.</summary>
public sealed class ReflectionTests
{
    [Fact]
    public async Task Client_made_of_what_reflection_tells_calls_the_service()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        await using var app = builder.Build();
        app.MapGrpc(ShopContract.Serve(new Shop()), [new RpcProtobufCodec(ShopReflection.Descriptor)], "postrider.shop.v1");
        app.MapGrpcReflection(ShopReflection.Descriptor);
        await app.StartAsync(TestContext.Current.CancellationToken);

        var told = await ForeignProgram.RunAsync(
            "node", Path.Combine(Tools.NodeStories, "grpc-reflection.mjs"), new Uri(app.Urls.Single()).Authority,
            Path.Combine(Tools.Repository, "tests", "Postrider.InteropTests", "proto", "reflection.proto"));

        Assert.Equal(
            """
            services postrider.shop.v1.Shop
            unknown 5
            operations Buy List Fill Trade Add Wait Tick
            sum 42
            """.ReplaceLineEndings("\n"),
            told);
    }

    [Fact]
    public void Files_without_a_service_are_refused()
    {
        var app = WebApplication.CreateSlimBuilder().Build();

        var failure = Assert.Throws<ArgumentException>(() => app.MapGrpcReflection(Google.Protobuf.WellKnownTypes.WrappersReflection.Descriptor));

        Assert.StartsWith("None of the files declares a service.", failure.Message, StringComparison.Ordinal);
    }
}
