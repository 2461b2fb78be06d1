namespace Postrider.Broker.Monitoring;

/// <summary>Something that starts with a broker, before it takes clients, and stops with it: the monitoring pages, say.</summary>
/// <remarks>An extension belongs to one broker.</remarks>
public interface IBrokerExtension
{
    /// <summary>Starts beside a broker that does not listen yet.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="ct">Gives up starting.</param>
    /// <returns>Disposed when the broker has closed its connections.</returns>
    ValueTask<IAsyncDisposable> StartAsync(IBrokerState state, CancellationToken ct);
}
