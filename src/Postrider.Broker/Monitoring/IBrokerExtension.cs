namespace Postrider.Broker.Monitoring;

/// <summary>A component that starts with a broker before it accepts clients, and stops with it, such as the monitoring pages.</summary>
/// <remarks>An extension belongs to one broker.</remarks>
public interface IBrokerExtension
{
    /// <summary>Starts the extension; the broker does not listen yet.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>Disposed when the broker has closed its connections.</returns>
    ValueTask<IAsyncDisposable> StartAsync(IBrokerState state, CancellationToken ct);
}
