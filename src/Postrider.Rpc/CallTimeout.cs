namespace Postrider.Rpc;

/// <summary>How long a call may take, as timers and peers take it: what callers state may be negative, infinite or longer than any timer.</summary>
internal static class CallTimeout
{
    // The longest that a peer's 32 bits and every timer of the platform hold; what is longer has no end.
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>A call's time: what its context says, or else the channel's.</summary>
    /// <returns>At least 0, at most some 24 days, or infinite.</returns>
    public static TimeSpan Clamp(CallContext? context, TimeSpan usual) => Clamp(context?.Timeout ?? usual);

    /// <summary>The time of a call that begins now.</summary>
    /// <returns>More than 0, at most some 24 days, or infinite.</returns>
    /// <exception cref="RpcException">It is over already: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public static TimeSpan Start(string path, CallContext? context, TimeSpan usual)
        => Clamp(context, usual) is var time && time == TimeSpan.Zero ? throw Exceeded(path) : time;

    /// <summary>The failure of a call whose time is over.</summary>
    public static RpcException Exceeded(string path, Exception? cause = null) => new(RpcStatus.DeadlineExceeded, $"{path} exceeded its deadline.", cause);

    /// <summary>What the peer is told of a call's time; null for nothing.</summary>
    public static TimeSpan? ToWire(CallContext? context) => context?.Timeout is { } time && Clamp(time) is var known && known != Timeout.InfiniteTimeSpan ? known : null;

    /// <summary>A time as timers take it.</summary>
    /// <returns>At least 0, at most some 24 days, or infinite.</returns>
    public static TimeSpan Clamp(TimeSpan time)
        => time == Timeout.InfiniteTimeSpan || time > s_longest ? Timeout.InfiniteTimeSpan : time < TimeSpan.Zero ? TimeSpan.Zero : time;
}
