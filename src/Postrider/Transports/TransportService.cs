using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Listens to the bindings of a transport for as long as the host runs.</summary>
internal sealed partial class TransportService(
    IServiceProvider services, string name, ISerializerProvider serializers, List<Action<MessagePump>> bindings, ILogger<TransportService>? logger) : IHostedService, IAsyncDisposable
{
    private readonly ILogger _logger = (ILogger?)logger ?? NullLogger.Instance;
    private MessagePump? _pump;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var transport = services.GetRequiredKeyedService<ITransport>(name);
        // Reports errors now instead of with the first message.
        if (services.GetService<IncomingMessages>() is { } incoming)
        {
            foreach (var problem in await incoming.CheckRoutesAsync(name, transport, cancellationToken).ConfigureAwait(false))
                LogNowhere(_logger, problem);
        }

        if (bindings.Count == 0)
            return;
        _pump = new MessagePump(transport, name, serializers, services);
        foreach (var bind in bindings)
            bind(_pump);
        await _pump.StartAsync(cancellationToken).ConfigureAwait(false);
        foreach (var (message, source) in _pump.Listening)
            LogListening(_logger, name, message, source);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_pump is null)
            return;
        try
        {
            await _pump.DisposeAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            LogStillRunning(_logger, name);
        }
    }

    public ValueTask DisposeAsync() => _pump?.DisposeAsync() ?? default;

    [LoggerMessage(26, LogLevel.Information, "The transport '{Transport}' receives {Message} from '{Source}'")]
    private static partial void LogListening(ILogger logger, string transport, Type message, string source);

    [LoggerMessage(9, LogLevel.Warning, "{Problem}")]
    private static partial void LogNowhere(ILogger logger, string problem);

    [LoggerMessage(8, LogLevel.Warning, "The transport '{Transport}' still had running handlers when the host's shutdown timeout ended.")]
    private static partial void LogStillRunning(ILogger logger, string transport);
}
