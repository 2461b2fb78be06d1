using Grpc.Core;
using Postrider.Benchmarks.Rpc.Protos;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>Gives back what it was given.</summary>
public sealed class GrpcEcho : GrpcEchoBase
{
    /// <inheritdoc/>
    public override Task<SmallItems> Small(SmallItems items, ServerCallContext context) => Task.FromResult(items);

    /// <inheritdoc/>
    public override Task<LargeItems> Large(LargeItems items, ServerCallContext context) => Task.FromResult(items);
}
