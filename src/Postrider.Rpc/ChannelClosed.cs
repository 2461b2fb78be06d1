namespace Postrider.Rpc;

/// <summary>What becomes of calls on a channel that was disposed.</summary>
internal static class ChannelClosed
{
    /// <summary>The failure of a call that did not leave the process, or is not waited for any more.</summary>
    public static RpcException Failure() => new(RpcStatus.Unavailable, "The channel is closed.") { IsUnsent = true };
}
