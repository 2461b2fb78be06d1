namespace Postrider.Rpc.InProcess;

/// <summary>The limits that all clients of one channel share.</summary>
internal sealed class CallLimits(InProcessChannelOptions options)
{
    private readonly TimeSpan _usual = CallTimeout.Clamp(options.Timeout);
    private volatile bool _isClosed;

    public InProcessChannelOptions Options => options;

    public bool IsClosed
    {
        get => _isClosed;
        set => _isClosed = value;
    }

    /// <summary>The timeout of a call, or <see cref="Timeout.InfiniteTimeSpan"/>.</summary>
    public TimeSpan TimeOf(CallContext? context) => context?.Timeout is { } time ? CallTimeout.Clamp(time) : _usual;
}
