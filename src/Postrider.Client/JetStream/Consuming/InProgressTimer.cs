namespace Postrider.Client.JetStream.Consuming;

/// <summary>Reports periodically to a consumer that a message is being processed.</summary>
internal sealed class InProgressTimer : IDisposable
{
    private readonly Func<ValueTask> _tell;
    private readonly ITimer _timer;

    public InProgressTimer(TimeProvider time, TimeSpan interval, Func<ValueTask> tell)
    {
        _tell = tell;
        _timer = time.CreateTimer(static state => ((InProgressTimer)state!).OnTime(), this, interval, interval);
    }

    public void Dispose() => _timer.Dispose();

    private void OnTime() => _ = TellAsync();

    private async Task TellAsync()
    {
        try
        {
            await _tell().ConfigureAwait(false);
        }
        catch (NatsClientException)
        {
            // The client is closed or not connected: the message will be delivered again.
        }
    }
}
