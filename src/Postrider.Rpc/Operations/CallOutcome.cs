namespace Postrider.Rpc.Operations;

/// <summary>Derives the status of a call from its exception.</summary>
internal static class CallOutcome
{
    /// <summary>Gets the status for metrics, activities and trackers.</summary>
    /// <param name="failure">The exception, or null for success.</param>
    public static RpcStatus StatusFor(Exception? failure) => failure switch
    {
        null => RpcStatus.Ok,
        RpcException known => known.Status,
        IRpcFault => RpcStatus.Fault,
        OperationCanceledException => RpcStatus.Cancelled,
        _ => RpcStatus.Internal,
    };
}
