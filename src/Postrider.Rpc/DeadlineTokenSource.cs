namespace Postrider.Rpc;

/// <summary>The source of a token that is cancelled by other tokens or after a timeout.</summary>
internal sealed class DeadlineTokenSource : IDisposable
{
    private readonly CancellationTokenSource _source;
    private readonly ITimer? _timer;

    public DeadlineTokenSource(TimeProvider provider, TimeSpan? time, CancellationToken first, CancellationToken second = default)
    {
        _source = CancellationTokenSource.CreateLinkedTokenSource(first, second);
        var limit = time is { } stated ? CallTimeout.Clamp(stated) : Timeout.InfiniteTimeSpan;

        // A timer would be too late: a call without any time must not start.
        if (limit == TimeSpan.Zero)
            _source.Cancel();
        else if (limit != Timeout.InfiniteTimeSpan)
            _timer = provider.CreateTimer(static state => Expire((CancellationTokenSource)state!), _source, limit, Timeout.InfiniteTimeSpan);
    }

    public CancellationToken Token => _source.Token;

    /// <summary>Cancels a source after its timeout. Call it from a separate timer instead of the source's own.</summary>
    /// <remarks>The source's own timer would run registered callbacks on the timer thread, where an exception ends the process.</remarks>
    public static void Expire(CancellationTokenSource source)
    {
        try
        {
            _ = source.CancelAsync();
        }
        catch (ObjectDisposedException)
        {
            // The call has just ended.
        }
    }

    /// <summary>Cancels the token before the timeout.</summary>
    public Task CancelAsync() => _source.CancelAsync();

    public void Dispose()
    {
        _timer?.Dispose();
        _source.Dispose();
    }
}
