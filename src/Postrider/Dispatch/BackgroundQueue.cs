using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>The bounded queue of messages that are handled in the background, and its worker. A hosted service: stopping the host drains
/// it.</summary>
/// <remarks>Thread-safe. Without a host the first notification starts the worker, and <see cref="StopAsync"/> has to be called
/// before the container is disposed.</remarks>
public sealed partial class BackgroundQueue : IHostedService, IDisposable
{
    // After the host stopped waiting: time for handlers that observe their cancellation to end before the container is disposed.
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);

    // Whether the current code is called by a worker: a worker that waited for room in its own queue would never continue.
    private static readonly AsyncLocal<BackgroundQueue?> s_working = new();

    private readonly Channel<Item> _items;
    private readonly Queue<Item> _follows = new(); // added by handlers while the queue was full; guarded by itself
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly MessageObserver? _observer;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Lock _starting = new(); // guards _worker
    private Task? _worker;
    private bool _hasEnded; // no thread reads _follows any more; guarded by _follows

    internal BackgroundQueue(int length, ILogger<BackgroundQueue>? logger, TimeProvider? time = null, MessageObserver? observer = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(length);
        _logger = (ILogger?)logger ?? NullLogger.Instance;
        _time = time ?? TimeProvider.System;
        _observer = observer;
        _items = Channel.CreateBounded<Item>(new BoundedChannelOptions(length) { SingleReader = true });
    }

    /// <summary>Number of waiting messages.</summary>
    public int Count => _items.Reader.Count;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        Start();
        return Task.CompletedTask;
    }

    /// <summary>Stops accepting notifications and waits until the queued ones are handled.</summary>
    /// <param name="cancellationToken">When it is cancelled, running handlers are cancelled and the remaining notifications are dropped.</param>
    /// <returns>Completes when no handler is running; at the latest five seconds after the cancellation: a handler that ignores it is
    /// abandoned and logged.</returns>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _items.Writer.TryComplete();
        Task? worker;
        lock (_starting)
            worker = _worker;
        if (worker is null)
            return;

        using (cancellationToken.UnsafeRegister(static stopped => ((CancellationTokenSource)stopped!).Cancel(), _stopped))
        {
            try
            {
                await worker.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                await WaitForGrace(worker).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _items.Writer.TryComplete();
        _stopped.Cancel();
    }

    internal async ValueTask Add(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct)
    {
        // The caller's scope may be gone when the worker runs: only its identities are kept with the message.
        var item = new Item(pipeline, message, origin is { Services: not null } ? origin with { Services = null } : origin, _observer?.Begin($"{message.GetType()} in the background"));
        if (s_working.Value == this)
        {
            AddFromHandler(item);
            return;
        }

        Start();
        try
        {
            await _items.Writer.WriteAsync(item, ct).ConfigureAwait(false);
        }
        catch (ChannelClosedException closed)
        {
            End(item);
            throw new PostriderException(
                PostriderError.QueueFull, $"The background queue is closing and does not accept {message.GetType()}.", closed);
        }
    }

    private async Task WaitForGrace(Task worker)
    {
        try
        {
            await worker.WaitAsync(s_grace, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            LogLeft(_logger, s_grace);
        }
    }

    // Messages sent by handlers while the queue is drained belong to it: they are accepted even though the queue is closing.
    private void AddFromHandler(Item item)
    {
        if (_items.Writer.TryWrite(item))
            return;

        lock (_follows)
        {
            if (!_hasEnded)
            {
                _follows.Enqueue(item);
                return;
            }
        }

        End(item);
        throw new PostriderException(PostriderError.QueueFull, $"The background queue is closed and does not accept {item.Message.GetType()}.");
    }

    private void Start()
    {
        lock (_starting)
            _worker ??= Task.Run(Work);
    }

    private async Task Work()
    {
        s_working.Value = this;
        await foreach (var item in _items.Reader.ReadAllAsync(CancellationToken.None).ConfigureAwait(false))
        {
            await Handle(item).ConfigureAwait(false);
            while (NextFollow(isLast: false) is { } follow)
                await Handle(follow).ConfigureAwait(false);
        }

        // Code that a handler started without awaiting it may still add some.
        while (NextFollow(isLast: true) is { } follow)
            await Handle(follow).ConfigureAwait(false);
    }

    private void End(Item item)
    {
        if (item.Work is not null)
            _observer!.End(item.Work);
    }

    private async Task Handle(Item item)
    {
        if (item.Work is not null)
            _observer!.Enter(item.Work);
        try
        {
            await Invoke(item).ConfigureAwait(false);
        }
        finally
        {
            End(item);
        }
    }

    private async Task Invoke(Item item)
    {
        if (_stopped.IsCancellationRequested)
        {
            LogGivenUp(_logger, item.Message.GetType());
            return;
        }

        try
        {
            await item.Pipeline.InvokeUntyped(item.Message, item.Origin, _stopped.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            LogCancelled(_logger, item.Message.GetType());
        }
        catch (Exception error)
        {
            LogFailed(_logger, item.Message.GetType(), error);
        }
    }

    private Item? NextFollow(bool isLast)
    {
        lock (_follows)
        {
            if (_follows.TryDequeue(out var follow))
                return follow;
            _hasEnded = isLast;
            return null;
        }
    }

    [LoggerMessage(2, LogLevel.Error, "Handling {Message} in the background failed.")]
    private static partial void LogFailed(ILogger logger, Type message, Exception error);

    [LoggerMessage(3, LogLevel.Warning, "{Message} was dropped: the host stopped before it was handled.")]
    private static partial void LogGivenUp(ILogger logger, Type message);

    [LoggerMessage(4, LogLevel.Warning, "{Message} was cancelled in the background: the host stopped before it completed.")]
    private static partial void LogCancelled(ILogger logger, Type message);

    [LoggerMessage(5, LogLevel.Error, "A background handler did not return within {Grace} after its cancellation and was abandoned.")]
    private static partial void LogLeft(ILogger logger, TimeSpan grace);

    private readonly record struct Item(Pipeline Pipeline, object Message, CallOrigin? Origin, object? Work);
}
