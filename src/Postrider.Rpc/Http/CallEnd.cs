namespace Postrider.Rpc.Http;

/// <summary>What ends a call over HTTP before its answer, kept for the next call: the channel's end is listened to once, not in every call.</summary>
internal sealed class CallEnd : IDisposable
{
    private readonly CancellationTokenRegistration _closing;

    public CallEnd(TimeProvider time, CancellationToken closing)
    {
        Source = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        _closing = closing.UnsafeRegister(static state => ((CallEnd)state!).Source.Cancel(), this);
    }

    public CancellationTokenSource Source { get; }

    public void Dispose()
    {
        _closing.Dispose();
        Source.Dispose();
    }
}
