namespace Postrider.Rpc.Http;

/// <summary>The cancellation of a call over HTTP, reused by the next call: the channel's end is registered once, not for every call.</summary>
internal sealed class PooledCancellation : IDisposable
{
    private readonly CancellationTokenRegistration _closing;

    public PooledCancellation(TimeProvider time, CancellationToken closing)
    {
        Source = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        _closing = closing.UnsafeRegister(static state => ((PooledCancellation)state!).Source.Cancel(), this);
    }

    public CancellationTokenSource Source { get; }

    public void Dispose()
    {
        _closing.Dispose();
        Source.Dispose();
    }
}
