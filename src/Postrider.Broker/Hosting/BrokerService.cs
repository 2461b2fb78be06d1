using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker;

/// <summary>Runs a broker for as long as the host runs.</summary>
/// <remarks>The host's logging is used unless the options name another logger factory. A broker that stops by itself is not restarted.</remarks>
public sealed class BrokerService : IHostedService
{
    private readonly BrokerOptions _options;
    private readonly IEnumerable<IBrokerExtension> _extensions;
    private NatsBroker? _broker;

    internal BrokerService(BrokerOptions options, IEnumerable<IBrokerExtension> extensions, ILoggerFactory loggers)
    {
        _options = options with { LoggerFactory = options.LoggerFactory ?? loggers };
        _extensions = extensions;
    }

    /// <summary>The running broker.</summary>
    /// <exception cref="InvalidOperationException">The host has not started.</exception>
    public NatsBroker Broker => _broker ?? throw new InvalidOperationException("The broker starts with the host, and the host has not started.");

    /// <summary>The running broker, or null before the host has started and after the broker has stopped.</summary>
    public NatsBroker? Running => _broker is { Completion.IsCompleted: false } broker ? broker : null;

    /// <inheritdoc/>
    /// <exception cref="BrokerException">An option is invalid, or the address is in use: the message names it.</exception>
    public async Task StartAsync(CancellationToken cancellationToken) =>
        _broker = await NatsBroker.StartAsync(_options, _extensions, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => _broker?.StopAsync().WaitAsync(cancellationToken) ?? Task.CompletedTask;
}
