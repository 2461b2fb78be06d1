namespace Postrider.Rpc.InProcess;

/// <summary>The limits that all clients of one channel share.</summary>
internal sealed class CallLimits(InProcessChannelOptions options)
{
    private volatile bool _isClosed;

    public InProcessChannelOptions Options => options;

    public bool IsClosed
    {
        get => _isClosed;
        set => _isClosed = value;
    }

    /// <summary>The timeout of a call, or null for none.</summary>
    public TimeSpan? TimeOf(CallContext? context)
        => CallTimeout.Clamp(context, options.Timeout) is var time && time == Timeout.InfiniteTimeSpan ? null : time;
}
