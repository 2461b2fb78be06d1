namespace Postrider.Rpc;

/// <summary>The failure of calls on a disposed channel.</summary>
internal static class ChannelClosed
{
    /// <summary>Creates the exception of a call that was not sent or is no longer awaited.</summary>
    public static RpcException Failure() => new(RpcStatus.Unavailable, "The channel is closed.") { IsUnsent = true };
}
