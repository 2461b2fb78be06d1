namespace Postrider.Rpc;

/// <summary>A call that did not succeed; the one exception type of this library.</summary>
/// <param name="status">How it ended.</param>
/// <param name="message">What was wrong, the value, the limit.</param>
/// <param name="inner">The cause, if any.</param>
public class RpcException(RpcStatus status, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>How the call ended.</summary>
    public RpcStatus Status { get; } = status;

    /// <summary>The call did surely not leave this process: it may be made elsewhere, whatever it does.</summary>
    public bool IsUnsent { get; init; }
}
