using Postrider.Rpc;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The service of gRPC's interop cases: <c>proto/interop.proto</c>.</summary>
[Service("TestService")]
public interface ITestService
{
    ValueTask EmptyCallAsync();

    ValueTask<SimpleResponse> UnaryCallAsync(SimpleRequest request, CallContext context, CancellationToken ct = default);

    IAsyncEnumerable<StreamingOutputCallResponse> StreamingOutputCallAsync(StreamingOutputCallRequest request, CallContext context, CancellationToken ct = default);

    ValueTask<StreamingInputCallResponse> StreamingInputCallAsync(IAsyncEnumerable<StreamingInputCallRequest> requests, CallContext context, CancellationToken ct = default);

    IAsyncEnumerable<StreamingOutputCallResponse> FullDuplexCallAsync(IAsyncEnumerable<StreamingOutputCallRequest> requests, CallContext context, CancellationToken ct = default);
}
