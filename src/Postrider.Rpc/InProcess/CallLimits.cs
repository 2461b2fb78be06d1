namespace Postrider.Rpc.InProcess;

/// <summary>What the callers of one channel share.</summary>
internal sealed class CallLimits(InProcessOptions options)
{
    private volatile bool _isClosed;

    public InProcessOptions Options => options;

    public bool IsClosed
    {
        get => _isClosed;
        set => _isClosed = value;
    }

    /// <summary>The time of one call, or null for none.</summary>
    public TimeSpan? TimeOf(CallContext? context)
        => CallTime.Of(context, options.Timeout) is var time && time == Timeout.InfiniteTimeSpan ? null : time;
}
