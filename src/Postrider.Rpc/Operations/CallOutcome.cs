namespace Postrider.Rpc.Operations;

/// <summary>How a call ended, told from what was thrown.</summary>
internal static class CallOutcome
{
    /// <summary>The status of a failure as measures, activities and trackers name it.</summary>
    /// <param name="failure">What was thrown, or null for nothing.</param>
    public static RpcStatus StatusFor(Exception? failure) => failure switch
    {
        null => RpcStatus.Ok,
        RpcException known => known.Status,
        IRpcFault => RpcStatus.Fault,
        OperationCanceledException => RpcStatus.Cancelled,
        _ => RpcStatus.Internal,
    };
}
