using System.Net;
using Google.Protobuf;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Protobuf;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The cases of gRPC's interop specification, both ways.</summary>
/// <remarks>Source: grpc/grpc, doc/interop-test-descriptions.md.</remarks>
public sealed class GrpcCaseTests(CasesServer server) : IClassFixture<CasesServer>
{
    private const string Package = "grpc.testing";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly RpcProtobufCodec Codec = new(InteropReflection.Descriptor);
    private static readonly int[] Sent = [27182, 8, 1828, 45904];
    private static readonly int[] Wanted = [31415, 9, 2653, 58979];

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private static SimpleRequest Large => new() { ResponseSize = 314159, Payload = Zeros(271828) };

    private static CallContext Patient => new() { Timeout = Patience };

    [Fact]
    public async Task Grpc_js_finds_every_case_passed_by_our_server()
    {
        await using var app = await StartAsync();

        var told = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "grpc-cases-client.mjs"), new Uri(app.Urls.Single()).Authority, CasesServer.Proto);

        string[] cases =
        [
            "empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong", "empty_stream", "cancel_after_begin", "cancel_after_first_response",
            "timeout_on_sleeping_server", "custom_metadata", "status_code_and_message", "special_status_message", "unimplemented_method", "unimplemented_service",
            "client_compressed_unary", "server_compressed_unary", "client_compressed_streaming", "server_compressed_streaming",
        ];
        Assert.Equal(string.Join('\n', cases.Select(static one => one + " passed")), told);
    }

    [Fact]
    public async Task Empty_unary() => await CallAsync(static (service, _) => service.EmptyCallAsync().AsTask());

    [Fact]
    public async Task Large_unary() => await CallAsync(static async (service, _) => Assert.Equal(314159, (await service.UnaryCallAsync(Large, Patient, Ct)).Payload.Body.Length));

    [Fact]
    public async Task Client_streaming() => await CallAsync(static async (service, _) =>
    {
        var requests = Sent.Select(static size => new StreamingInputCallRequest { Payload = Zeros(size) }).ToAsyncEnumerable();

        Assert.Equal(74922, (await service.StreamingInputCallAsync(requests, Patient, Ct)).AggregatedPayloadSize);
    });

    [Fact]
    public async Task Server_streaming() => await CallAsync(static async (service, _) =>
    {
        var request = new StreamingOutputCallRequest { ResponseParameters = { Wanted.Select(static size => new ResponseParameters { Size = size }) } };

        Assert.Equal(Wanted, await service.StreamingOutputCallAsync(request, Patient, Ct).Select(static r => r.Payload.Body.Length).ToListAsync(Ct));
    });

    [Fact]
    public async Task Ping_pong() => await CallAsync(static async (service, _) =>
    {
        var pings = System.Threading.Channels.Channel.CreateUnbounded<StreamingOutputCallRequest>();
        pings.Writer.TryWrite(Ping(0));
        var sizes = new List<int>();

        await foreach (var pong in service.FullDuplexCallAsync(pings.Reader.ReadAllAsync(Ct), Patient, Ct))
        {
            sizes.Add(pong.Payload.Body.Length);
            if (sizes.Count == Wanted.Length)
                pings.Writer.Complete();
            else
                pings.Writer.TryWrite(Ping(sizes.Count));
        }

        Assert.Equal(Wanted, sizes);
    });

    [Fact]
    public async Task Empty_stream()
        => await CallAsync(static async (service, _) => Assert.Empty(await service.FullDuplexCallAsync(AsyncEnumerable.Empty<StreamingOutputCallRequest>(), Patient, Ct).ToListAsync(Ct)));

    [Fact]
    public async Task Cancel_after_begin() => await CallAsync(async (service, _) =>
    {
        using var end = new CancellationTokenSource();
        var silence = System.Threading.Channels.Channel.CreateUnbounded<StreamingInputCallRequest>();
        var call = service.StreamingInputCallAsync(silence.Reader.ReadAllAsync(end.Token), Patient, end.Token).AsTask();

        await end.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Patience));
    });

    [Fact]
    public async Task Cancel_after_first_response() => await CallAsync(async (service, _) =>
    {
        using var end = new CancellationTokenSource();
        var pings = System.Threading.Channels.Channel.CreateUnbounded<StreamingOutputCallRequest>();
        pings.Writer.TryWrite(Ping(0));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var pong in service.FullDuplexCallAsync(pings.Reader.ReadAllAsync(Ct), Patient, end.Token))
            {
                Assert.Equal(31415, pong.Payload.Body.Length);
                await end.CancelAsync();
            }
        });
        Assert.Equal("cancelled", await server.NextCancelledAsync().WaitAsync(Patience));
    });

    [Fact]
    public async Task Timeout_on_sleeping_server() => await CallAsync(static async (service, _) =>
    {
        var ping = System.Threading.Channels.Channel.CreateUnbounded<StreamingOutputCallRequest>();
        ping.Writer.TryWrite(new StreamingOutputCallRequest { Payload = Zeros(27182) });

        var failure = await Assert.ThrowsAsync<RpcException>(
            async () => await service.FullDuplexCallAsync(ping.Reader.ReadAllAsync(Ct), new CallContext { Timeout = TimeSpan.FromMilliseconds(1) }, Ct).ToListAsync(Ct));

        Assert.Equal(RpcStatus.DeadlineExceeded, failure.Status);
    });

    [Fact]
    public async Task Custom_metadata() => await CallAsync(static async (service, _) =>
    {
        CallContext[] contexts = [Echoed(), Echoed()];

        Assert.Equal(314159, (await service.UnaryCallAsync(Large, contexts[0], Ct)).Payload.Body.Length);
        Assert.Single(await service.FullDuplexCallAsync(new[] { Ping(0) }.ToAsyncEnumerable(), contexts[1], Ct).ToListAsync(Ct));

        Assert.All(contexts, static context => Assert.Equal(
            ("test_initial_metadata_value", "q6ur"), (context.ResponseHeaders["x-grpc-test-echo-initial"], context.ResponseHeaders["x-grpc-test-echo-trailing-bin"])));
    });

    [Theory]
    [InlineData("test status message")]
    [InlineData("\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n")]
    public async Task Status_code_and_message(string message) => await CallAsync(async (service, _) =>
    {
        var status = new EchoStatus { Code = 2, Message = message };

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await service.UnaryCallAsync(new SimpleRequest { ResponseStatus = status }, Patient, Ct));
        var late = await Assert.ThrowsAsync<RpcException>(async () => await service.FullDuplexCallAsync(
            new[] { new StreamingOutputCallRequest { ResponseStatus = status } }.ToAsyncEnumerable(), Patient, Ct).ToListAsync(Ct));

        Assert.Equal((RpcStatus.Unknown, message), (failure.Status, failure.Message));
        Assert.Equal((RpcStatus.Unknown, message), (late.Status, late.Message));
    });

    [Fact]
    public async Task Unimplemented_method() => await CallAsync(static async (_, channel) =>
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new UnimplementedMethodClient(channel).UnimplementedCallAsync());

        Assert.Equal(RpcStatus.NotFound, failure.Status);
    });

    [Fact]
    public async Task Unimplemented_service() => await CallAsync(static async (_, channel) =>
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new UnimplementedServiceClient(channel).UnimplementedCallAsync());

        Assert.Equal(RpcStatus.NotFound, failure.Status);
    });

    [Fact]
    public async Task Client_compressed_unary() => await CallBareAsync(static async service =>
    {
        var request = Large;
        request.ExpectCompressed = new BoolValue { Value = true };

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await service.UnaryCallAsync(request, Patient, Ct));
        Assert.Equal(RpcStatus.InvalidData, failure.Status);
        Assert.Equal(314159, (await service.UnaryCallAsync(request, Compressing(), Ct)).Payload.Body.Length);
        request.ExpectCompressed.Value = false;
        Assert.Equal(314159, (await service.UnaryCallAsync(request, Patient, Ct)).Payload.Body.Length);
    });

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Server_compressed_unary(bool isCompressed) => await CallBareAsync(async service =>
    {
        var request = Large;
        request.ResponseCompressed = new BoolValue { Value = isCompressed };

        Assert.Equal(314159, (await service.UnaryCallAsync(request, Patient, Ct)).Payload.Body.Length);
    });

    [Fact]
    public async Task Client_compressed_streaming() => await CallBareAsync(static async service =>
    {
        var probe = new StreamingInputCallRequest { ExpectCompressed = new BoolValue { Value = true }, Payload = Zeros(27182) };

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await service.StreamingInputCallAsync(new[] { probe }.ToAsyncEnumerable(), Patient, Ct));
        Assert.Equal(RpcStatus.InvalidData, failure.Status);
        var context = Compressing();
        Assert.Equal(73086, (await service.StreamingInputCallAsync(FirstCompressedAsync(context), context, Ct)).AggregatedPayloadSize);
    });

    [Fact]
    public async Task Server_compressed_streaming() => await CallBareAsync(static async service =>
    {
        var request = new StreamingOutputCallRequest
        {
            ResponseParameters = { new ResponseParameters { Size = 31415, Compressed = new BoolValue { Value = true } }, new ResponseParameters { Size = 92653, Compressed = new BoolValue() } },
        };

        Assert.Equal([31415, 92653], await service.StreamingOutputCallAsync(request, Patient, Ct).Select(static r => r.Payload.Body.Length).ToListAsync(Ct));
    });

    private static async Task<WebApplication> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        var app = builder.Build();
        app.MapGrpc(TestServiceContract.Serve(new TestService()), [Codec], Package);
        await app.StartAsync();
        return app;
    }

    private static Payload Zeros(int size) => new() { Body = UnsafeByteOperations.UnsafeWrap(new byte[size]) };

    private static StreamingOutputCallRequest Ping(int turn) => new() { ResponseParameters = { new ResponseParameters { Size = Wanted[turn] } }, Payload = Zeros(Sent[turn]) };

    private static CallContext Compressing() => new() { Timeout = Patience, Headers = { [GrpcCompression.Header] = GrpcCompression.Gzip } };

    private static CallContext Echoed() => new()
    {
        Timeout = Patience,
        Headers = { ["x-grpc-test-echo-initial"] = "test_initial_metadata_value", ["x-grpc-test-echo-trailing-bin"] = Convert.ToBase64String([0xAB, 0xAB, 0xAB]) },
    };

    private static async IAsyncEnumerable<StreamingInputCallRequest> FirstCompressedAsync(CallContext context)
    {
        yield return new StreamingInputCallRequest { ExpectCompressed = new BoolValue { Value = true }, Payload = Zeros(27182) };
        await Task.Yield();
        context.Headers[GrpcCompression.Header] = GrpcCompression.Identity;
        yield return new StreamingInputCallRequest { ExpectCompressed = new BoolValue(), Payload = Zeros(45904) };
    }

    private async Task CallAsync(Func<ITestService, RpcChannel, Task> run)
    {
        await using var channel = new RpcGrpcChannel(server.GrpcJs, Codec, new RpcGrpcChannelOptions { Package = Package });
        await run(new TestServiceClient(channel), channel);
    }

    private async Task CallBareAsync(Func<ITestService, Task> run)
    {
        await using var channel = new RpcGrpcChannel(server.Bare, Codec, new RpcGrpcChannelOptions { Package = Package });
        await run(new TestServiceClient(channel));
    }
}
