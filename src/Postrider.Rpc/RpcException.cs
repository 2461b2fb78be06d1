using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>The exception of failed calls.</summary>
/// <param name="status">The status of the call.</param>
/// <param name="message">The error message.</param>
/// <param name="inner">The cause, if any.</param>
public class RpcException(RpcStatus status, string message, Exception? inner = null) : Exception(message, inner), IServiceFailure
{
    /// <summary>The status of the call.</summary>
    public RpcStatus Status { get; } = status;

    /// <summary>Whether the call was certainly not sent, so that it is safe to send it elsewhere, whatever the operation.</summary>
    public bool IsUnsent { get; init; }

    /// <inheritdoc/>
    public ServiceFailureKind Kind => Status switch
    {
        RpcStatus.Unavailable or RpcStatus.Busy => ServiceFailureKind.Unavailable,
        RpcStatus.DeadlineExceeded => ServiceFailureKind.Timeout,
        RpcStatus.AlreadyExists or RpcStatus.Aborted => ServiceFailureKind.Conflict,
        _ => ServiceFailureKind.Other,
    };
}
