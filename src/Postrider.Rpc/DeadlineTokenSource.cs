namespace Postrider.Rpc;

/// <summary>A token that is cancelled by others or when a time is over.</summary>
internal sealed class DeadlineTokenSource : IDisposable
{
    private readonly CancellationTokenSource _source;
    private readonly ITimer? _timer;

    public DeadlineTokenSource(TimeProvider provider, TimeSpan? time, CancellationToken first, CancellationToken second = default)
    {
        _source = CancellationTokenSource.CreateLinkedTokenSource(first, second);
        var limit = time is { } stated ? CallTimeout.Clamp(stated) : Timeout.InfiniteTimeSpan;

        // A timer would be late: what has no time at all does not begin.
        if (limit == TimeSpan.Zero)
            _source.Cancel();
        else if (limit != Timeout.InfiniteTimeSpan)
            _timer = provider.CreateTimer(static state => Expire((CancellationTokenSource)state!), _source, limit, Timeout.InfiniteTimeSpan);
    }

    public CancellationToken Token => _source.Token;

    /// <summary>Cancels a source whose time is over; call it from a timer in place of the source's own.</summary>
    /// <remarks>The source's own timer runs what is registered with the token on the timer's thread, where an exception ends the process.</remarks>
    public static void Expire(CancellationTokenSource source)
    {
        try
        {
            _ = source.CancelAsync();
        }
        catch (ObjectDisposedException)
        {
            // The call ended in this moment.
        }
    }

    /// <summary>Cancels the token, whatever the time is.</summary>
    public Task CancelAsync() => _source.CancelAsync();

    public void Dispose()
    {
        _timer?.Dispose();
        _source.Dispose();
    }
}
