namespace Postrider.Rpc;

/// <summary>Normalizes the timeout of a call for timers and peers: callers may state a negative, infinite or very long one.</summary>
internal static class CallTimeout
{
    // The longest timeout that 32 bits of milliseconds and every timer of the platform support; a longer one is infinite.
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>Gets the timeout of a call: that of its context, or else the channel's.</summary>
    /// <returns>At least 0, at most some 24 days, or infinite.</returns>
    public static TimeSpan Clamp(CallContext? context, TimeSpan usual) => Clamp(context?.Timeout ?? usual);

    /// <summary>Gets the timeout of a call that starts now.</summary>
    /// <returns>More than 0, at most some 24 days, or infinite.</returns>
    /// <exception cref="RpcException">The timeout is zero or negative: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public static TimeSpan Start(string path, CallContext? context, TimeSpan usual)
        => Clamp(context, usual) is var time && time == TimeSpan.Zero ? throw Exceeded(path) : time;

    /// <summary>Creates the exception of a call whose timeout has elapsed.</summary>
    public static RpcException Exceeded(string path, Exception? cause = null) => new(RpcStatus.DeadlineExceeded, $"{path} exceeded its deadline.", cause);

    /// <summary>Gets the timeout to send to the peer; null for none.</summary>
    public static TimeSpan? ToWire(CallContext? context) => context?.Timeout is { } time && Clamp(time) is var known && known != Timeout.InfiniteTimeSpan ? known : null;

    /// <summary>Clamps a timeout to the range of timers.</summary>
    /// <returns>At least 0, at most some 24 days, or infinite.</returns>
    public static TimeSpan Clamp(TimeSpan time)
        => time == Timeout.InfiniteTimeSpan || time > s_longest ? Timeout.InfiniteTimeSpan : time < TimeSpan.Zero ? TimeSpan.Zero : time;
}
