using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Monitoring;
using Postrider.Sockets;

namespace Postrider.Broker;

/// <summary>Runs a broker for as long as the host runs: it starts before the host's other services and stops after them, so that they can
/// connect to it whatever the order in which they were added.</summary>
/// <remarks>The host's logging is used unless the options name another logger factory. A broker that stops by itself is not restarted.</remarks>
public sealed class BrokerService : IHostedLifecycleService, IAsyncDisposable
{
    private readonly BrokerOptions _options;
    private readonly IEnumerable<IBrokerExtension> _extensions;
    private readonly TaskCompletionSource<NatsBroker> _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private NatsBroker? _broker;

    internal BrokerService(BrokerOptions options, IEnumerable<IBrokerExtension> extensions, ILoggerFactory loggers)
    {
        _options = options with { LoggerFactory = options.LoggerFactory ?? loggers };
        _extensions = extensions;
        Connector = new HostedConnector(_started.Task);
    }

    /// <summary>The running broker.</summary>
    /// <exception cref="InvalidOperationException">The host has not started.</exception>
    public NatsBroker Broker => _broker ?? throw new InvalidOperationException("The broker starts with the host, and the host has not started.");

    /// <summary>The running broker, or null before the host has started and after the broker has stopped.</summary>
    public NatsBroker? Running => _broker is { Completion.IsCompleted: false } broker ? broker : null;

    /// <summary>Connects clients of the host to the broker without a socket; may be used before the host has started.</summary>
    /// <example><code>
    /// builder.AddPostriderBroker(options => options.Listen = false);
    /// builder.AddPostriderClient((services, options) => options.Connector = services.GetRequiredService&lt;BrokerService&gt;().Connector);
    /// </code></example>
    public IConnector Connector { get; }

    /// <summary>Starts the broker.</summary>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <returns>Completes when the broker accepts connections.</returns>
    /// <exception cref="BrokerException">An option is invalid, or the address is in use: the message names it.</exception>
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        if (_broker is not null)
            return;
        _broker = await NatsBroker.StartAsync(_options, _extensions, cancellationToken).ConfigureAwait(false);
        _started.TrySetResult(_broker);
    }

    /// <summary>Starts the broker if it does not run yet.</summary>
    /// <inheritdoc cref="StartingAsync"/>
    public Task StartAsync(CancellationToken cancellationToken) => StartingAsync(cancellationToken);

    /// <inheritdoc/>
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Does nothing: other services may still need the broker until they have stopped.</summary>
    /// <param name="cancellationToken">Not used.</param>
    /// <returns>Is completed.</returns>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Stops the broker.</summary>
    /// <param name="cancellationToken">Ends the wait; the broker still stops, and <see cref="DisposeAsync"/> waits for it.</param>
    /// <returns>Completes when the broker has stopped, or when the wait has ended.</returns>
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        if (_broker is null)
            return;
        var stopping = _broker.StopAsync();
        try
        {
            await stopping.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Another service used up the host's shutdown timeout: the end of the container waits for the broker.
        }
    }

    /// <summary>Stops the broker if the host did not, for example because another service failed to start.</summary>
    /// <returns>Completes when the broker has stopped.</returns>
    public async ValueTask DisposeAsync()
    {
        if (_broker is not null)
            await _broker.DisposeAsync().ConfigureAwait(false);
    }

    private sealed class HostedConnector(Task<NatsBroker> started) : IConnector
    {
        public async ValueTask<Connection> ConnectAsync(string host, int port, CancellationToken ct)
        {
            var broker = await started.WaitAsync(ct).ConfigureAwait(false);
            return await broker.Connector.ConnectAsync(host, port, ct).ConfigureAwait(false);
        }
    }
}
