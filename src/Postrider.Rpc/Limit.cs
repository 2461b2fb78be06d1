namespace Postrider.Rpc;

/// <summary>A token that is cancelled by others or when a time is over.</summary>
internal sealed class Limit : IDisposable
{
    private readonly CancellationTokenSource _source;
    private readonly CancellationTokenSource? _timer;

    public Limit(TimeProvider provider, TimeSpan? time, CancellationToken first, CancellationToken second = default)
    {
        if (time is { } stated && CallTime.Of(stated) is var most && most != Timeout.InfiniteTimeSpan)
            _timer = new CancellationTokenSource(most, provider);
        _source = _timer is null ? CancellationTokenSource.CreateLinkedTokenSource(first, second) : CancellationTokenSource.CreateLinkedTokenSource(first, second, _timer.Token);
    }

    public CancellationToken Token => _source.Token;

    /// <summary>Cancels the token, whatever the time is.</summary>
    public Task CancelAsync() => _source.CancelAsync();

    public void Dispose()
    {
        _source.Dispose();
        _timer?.Dispose();
    }
}
