using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Listens to the bindings of a transport for as long as the host runs.</summary>
internal sealed partial class TransportService(
    IServiceProvider services, string name, ISerializerProvider serializers, List<Action<MessagePump>> bindings, ILogger<TransportService>? logger) : IHostedService, ITransportReceiver, IAsyncDisposable
{
    private readonly ILogger _logger = (ILogger?)logger ?? NullLogger.Instance;
    private MessagePump? _pump;
    private volatile bool _isRunning;
    private volatile bool _isAbandoned;
    private string[] _sources = [];

    public IReadOnlyList<string> Sources => _sources;

    public IReadOnlyList<string> PausedSources => _isRunning ? [.. _sources.Intersect(_pump!.NotListening, StringComparer.Ordinal)] : _sources;

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
        _sources = [.. _pump.Sources.Distinct(StringComparer.Ordinal)];
        await _pump.StartAsync(cancellationToken).ConfigureAwait(false);
        _isRunning = true;
        foreach (var (message, source) in _pump.Listening)
            LogListening(_logger, name, message, source);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_pump is null)
            return;
        _isRunning = false;
        try
        {
            await _pump.DisposeAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _isAbandoned = true;
            LogStillRunning(_logger, name);
        }
    }

    public async ValueTask PauseAsync(string? source = null, CancellationToken ct = default)
    {
        await Receiving(source).PauseAsync(source, ct).ConfigureAwait(false);
        LogPaused(_logger, name, source ?? "*");
    }

    public async ValueTask ResumeAsync(string? source = null, CancellationToken ct = default)
    {
        await Receiving(source).ResumeAsync(source, ct).ConfigureAwait(false);
        LogResumed(_logger, name, source ?? "*");
    }

    // The end of the host does not wait again for handlers that had the whole shutdown timeout.
    public ValueTask DisposeAsync() => _isAbandoned ? default : _pump?.DisposeAsync() ?? default;

    private MessagePump Receiving(string? source)
    {
        if (!_isRunning)
            throw new PostriderException(PostriderError.Configuration, $"The transport '{name}' receives nothing: it has no bindings, or the host does not run.");
        if (source is not null && !_sources.Contains(source, StringComparer.Ordinal))
            throw new PostriderException(PostriderError.Configuration, $"The transport '{name}' has no binding at '{source}', but at: {string.Join(", ", _sources)}.");
        return _pump!;
    }

    [LoggerMessage(26, LogLevel.Information, "The transport '{Transport}' receives {Message} from '{Source}'")]
    private static partial void LogListening(ILogger logger, string transport, Type message, string source);

    [LoggerMessage(32, LogLevel.Information, "The transport '{Transport}' is paused at '{Source}'")]
    private static partial void LogPaused(ILogger logger, string transport, string source);

    [LoggerMessage(33, LogLevel.Information, "The transport '{Transport}' receives again at '{Source}'")]
    private static partial void LogResumed(ILogger logger, string transport, string source);

    [LoggerMessage(9, LogLevel.Warning, "{Problem}")]
    private static partial void LogNowhere(ILogger logger, string problem);

    [LoggerMessage(8, LogLevel.Warning, "The transport '{Transport}' still had running handlers when the host's shutdown timeout ended.")]
    private static partial void LogStillRunning(ILogger logger, string transport);
}
