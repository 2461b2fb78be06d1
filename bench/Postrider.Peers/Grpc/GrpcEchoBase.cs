using Grpc.Core;
using Postrider.Benchmarks.Rpc.Protos;

namespace Postrider.Benchmarks.Peers.Grpc;

/// <summary>What <c>grpc_csharp_plugin</c> would write of the service.</summary>
[BindServiceMethod(typeof(GrpcMethods), nameof(GrpcMethods.BindService))]
public abstract class GrpcEchoBase
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <param name="context">The call.</param>
    /// <returns>The items.</returns>
    public abstract Task<SmallItems> Small(SmallItems items, ServerCallContext context);

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <param name="context">The call.</param>
    /// <returns>The items.</returns>
    public abstract Task<LargeItems> Large(LargeItems items, ServerCallContext context);
}
