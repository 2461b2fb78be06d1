using System.Runtime.CompilerServices;
using Google.Protobuf;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The service as the cases' specification wants it.</summary>
internal sealed class TestService : ITestService
{
    private const string Initial = "x-grpc-test-echo-initial";
    private const string Trailing = "x-grpc-test-echo-trailing-bin";
    private const int Unknown = 2;

    public ValueTask EmptyCallAsync() => default;

    public ValueTask<SimpleResponse> UnaryCallAsync(SimpleRequest request, CallContext context, CancellationToken ct = default)
    {
        Echo(context);
        Expect(request.ExpectCompressed, context);
        End(request.ResponseStatus);
        Compress(request.ResponseCompressed, context);
        return new(new SimpleResponse { Payload = Zeros(request.ResponseSize) });
    }

    public async IAsyncEnumerable<StreamingOutputCallResponse> StreamingOutputCallAsync(
        StreamingOutputCallRequest request, CallContext context, [EnumeratorCancellation] CancellationToken ct = default)
    {
        Echo(context);
        End(request.ResponseStatus);
        foreach (var parameters in request.ResponseParameters)
        {
            await Task.Yield();
            Compress(parameters.Compressed, context);
            yield return new StreamingOutputCallResponse { Payload = Zeros(parameters.Size) };
        }
    }

    public async ValueTask<StreamingInputCallResponse> StreamingInputCallAsync(
        IAsyncEnumerable<StreamingInputCallRequest> requests, CallContext context, CancellationToken ct = default)
    {
        var sum = 0;
        await foreach (var request in requests.WithCancellation(ct))
        {
            Expect(request.ExpectCompressed, context);
            sum += request.Payload.Body.Length;
        }

        return new StreamingInputCallResponse { AggregatedPayloadSize = sum };
    }

    public async IAsyncEnumerable<StreamingOutputCallResponse> FullDuplexCallAsync(
        IAsyncEnumerable<StreamingOutputCallRequest> requests, CallContext context, [EnumeratorCancellation] CancellationToken ct = default)
    {
        Echo(context);
        await foreach (var request in requests.WithCancellation(ct))
        {
            End(request.ResponseStatus);
            foreach (var parameters in request.ResponseParameters)
                yield return new StreamingOutputCallResponse { Payload = Zeros(parameters.Size) };
        }
    }

    private static void Echo(CallContext context)
    {
        context.ResponseHeaders[Initial] = context.Headers[Initial];
        context.ResponseTrailers[Trailing] = context.Headers[Trailing];
    }

    private static void End(EchoStatus? wished)
    {
        if (wished is not null)
            throw new RpcException(wished.Code == Unknown ? RpcStatus.Unknown : throw new ArgumentOutOfRangeException(nameof(wished), wished.Code, null), wished.Message);
    }

    private static void Expect(BoolValue? compressed, CallContext context)
    {
        if (compressed is { Value: true } && context.Headers[GrpcCompression.UsedHeader] != GrpcCompression.Gzip)
            throw new RpcException(RpcStatus.InvalidData, "The request is not compressed.");
    }

    private static void Compress(BoolValue? wished, CallContext context)
    {
        if (wished is not null)
            context.ResponseHeaders[GrpcCompression.Header] = wished.Value ? GrpcCompression.Gzip : GrpcCompression.Identity;
    }

    private static Payload Zeros(int size) => new() { Body = UnsafeByteOperations.UnsafeWrap(new byte[size]) };
}
