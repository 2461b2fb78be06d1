using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Postrider.Dispatch;

/// <summary>The bounded queue of background notifications and its worker. A hosted service: stopping the host drains it.</summary>
/// <remarks>Thread-safe. Without a host the first notification starts the worker, and <see cref="StopAsync"/> has to be called
/// before the container is disposed.</remarks>
public sealed partial class BackgroundQueue : IHostedService, IDisposable
{
    private readonly Channel<Item> _items;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Lock _starting = new(); // guards _worker
    private Task? _worker;

    internal BackgroundQueue(int length, ILogger<BackgroundQueue>? logger)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(length);
        _logger = (ILogger?)logger ?? NullLogger.Instance;
        _items = Channel.CreateBounded<Item>(new BoundedChannelOptions(length) { SingleReader = true });
    }

    /// <summary>How many notifications wait.</summary>
    public int Count => _items.Reader.Count;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        Start();
        return Task.CompletedTask;
    }

    /// <summary>Takes no more notifications and waits until those in the queue are handled.</summary>
    /// <param name="cancellationToken">When it is cancelled, handlers are cancelled and what still waits is given up.</param>
    /// <returns>Completes when nothing is under way.</returns>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _items.Writer.TryComplete();
        Task? worker;
        lock (_starting)
            worker = _worker;
        if (worker is null)
            return;

        using (cancellationToken.UnsafeRegister(static stopped => ((CancellationTokenSource)stopped!).Cancel(), _stopped))
            await worker.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _items.Writer.TryComplete();
        _stopped.Cancel();
    }

    internal async ValueTask Add(PublishPipeline pipeline, object notification, CallOrigin? origin, CancellationToken ct)
    {
        Start();
        try
        {
            await _items.Writer.WriteAsync(new(pipeline, notification, origin), ct).ConfigureAwait(false);
        }
        catch (ChannelClosedException closed)
        {
            throw new PostriderException(
                PostriderError.QueueFull, $"The background queue is closing and takes no {notification.GetType()}.", closed);
        }
    }

    private void Start()
    {
        lock (_starting)
            _worker ??= Task.Run(Work);
    }

    private async Task Work()
    {
        await foreach (var item in _items.Reader.ReadAllAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (_stopped.IsCancellationRequested)
            {
                LogGivenUp(_logger, item.Notification.GetType());
                continue;
            }

            try
            {
                await item.Pipeline.Invoke(item.Notification, item.Origin, _stopped.Token).ConfigureAwait(false);
            }
            catch (Exception error)
            {
                LogFailed(_logger, item.Notification.GetType(), error);
            }
        }
    }

    [LoggerMessage(2, LogLevel.Error, "Handling {Notification} in the background failed.")]
    private static partial void LogFailed(ILogger logger, Type notification, Exception error);

    [LoggerMessage(3, LogLevel.Warning, "{Notification} was given up: the host stopped before its turn.")]
    private static partial void LogGivenUp(ILogger logger, Type notification);

    private readonly record struct Item(PublishPipeline Pipeline, object Notification, CallOrigin? Origin);
}
