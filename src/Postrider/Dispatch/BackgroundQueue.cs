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

    // Messages that handlers add while the queue is full may be this many times its length: they cannot wait for room.
    private const int MaxFollowsFactor = 16;

    // Whether the current code is called by a worker: a worker that waited for room in its own queue would never continue.
    private static readonly AsyncLocal<BackgroundQueue?> s_working = new();

    // Not a bounded channel: its reader and its writers contend for one lock, 150 ns a message instead of 70 (./dev bench routing --part post).
    private readonly Channel<Item> _items = Channel.CreateUnbounded<Item>(new UnboundedChannelOptions { SingleReader = true });
    private readonly int _length;
    private readonly long _maxFollows;
    private readonly SemaphoreSlim _turn = new(1); // held by the poster that waits for room; the others wait for it
    private TaskCompletionSource? _room; // completed when there may be room
    private int _posters; // number of posters that wait for room
    private int _count; // waiting messages and those about to be written
    private bool _isClosed;
    private readonly Queue<Item> _follows = new(); // added by handlers while the queue was full; guarded by itself
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly MessageObserver? _observer;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Lock _starting = new(); // guards _worker
    private Task? _worker;
    private bool _hasFollows; // written with _follows locked
    private bool _hasEnded; // no thread reads _follows any more; guarded by _follows

    internal BackgroundQueue(int length, ILogger<BackgroundQueue>? logger, TimeProvider? time = null, MessageObserver? observer = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(length);
        _logger = (ILogger?)logger ?? NullLogger.Instance;
        _time = time ?? TimeProvider.System;
        _observer = observer;
        _length = length;
        _maxFollows = (long)length * MaxFollowsFactor;
    }

    /// <summary>Number of waiting messages.</summary>
    public int Count => Volatile.Read(ref _count);

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
        Close();
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
        Close();
        _stopped.Cancel();
    }

    internal ValueTask Add(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct)
    {
        // The caller's scope may be gone when the worker runs: only its identities are kept with the message.
        var item = new Item(pipeline, message, origin is { Services: not null } ? origin with { Services = null } : origin, _observer?.Begin($"{message.GetType()} in the background"));
        if (s_working.Value == this)
            return AddFromHandler(item);

        if (Volatile.Read(ref _worker) is null)
            Start();
        return !ct.IsCancellationRequested && Volatile.Read(ref _posters) == 0 && TryWrite(item) ? default : AddWhenRoom(item, ct);
    }

    private async ValueTask AddWhenRoom(Item item, CancellationToken ct)
    {
        Interlocked.Increment(ref _posters);
        try
        {
            await _turn.WaitAsync(ct).ConfigureAwait(false);
            try
            {
                while (!TryWrite(item))
                {
                    if (Volatile.Read(ref _isClosed))
                        throw new PostriderException(PostriderError.QueueFull, $"The background queue is closing and does not accept {item.Message.GetType()}.");
                    await WaitForRoom(ct).ConfigureAwait(false);
                }
            }
            finally
            {
                _turn.Release();
            }
        }
        catch
        {
            End(item);
            throw;
        }
        finally
        {
            Interlocked.Decrement(ref _posters);
        }
    }

    private async Task WaitForRoom(CancellationToken ct)
    {
        var room = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        // A full fence: whoever makes room from here on sees it.
        Interlocked.Exchange(ref _room, room);
        if (Volatile.Read(ref _count) < _length || Volatile.Read(ref _isClosed))
            return;
        await room.Task.WaitAsync(ct).ConfigureAwait(false);
    }

    private bool TryWrite(in Item item)
    {
        if (!TryReserve())
            return false;
        if (_items.Writer.TryWrite(item))
            return true;
        Leave();
        return false;
    }

    private bool TryReserve()
    {
        for (var count = Volatile.Read(ref _count); count < _length;)
        {
            var found = Interlocked.CompareExchange(ref _count, count + 1, count);
            if (found == count)
                return true;
            count = found;
        }

        return false;
    }

    private void Leave()
    {
        Interlocked.Decrement(ref _count);
        if (Volatile.Read(ref _room) is not null)
            Interlocked.Exchange(ref _room, null)?.TrySetResult();
    }

    private void Close()
    {
        Interlocked.Exchange(ref _isClosed, true);
        _items.Writer.TryComplete();
        Interlocked.Exchange(ref _room, null)?.TrySetResult();
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
    private ValueTask AddFromHandler(Item item)
    {
        if (TryWrite(item))
            return default;

        bool isFull;
        lock (_follows)
        {
            isFull = _follows.Count >= _maxFollows;
            if (!_hasEnded && !isFull)
            {
                _follows.Enqueue(item);
                // A full fence: either the worker still has a message, behind which it sees the flag, or it is woken.
                Interlocked.Exchange(ref _hasFollows, true);
                if (Volatile.Read(ref _count) == 0 && TryReserve() && !_items.Writer.TryWrite(default))
                    Leave();
                return default;
            }
        }

        End(item);
        return ValueTask.FromException(new PostriderException(
            PostriderError.QueueFull,
            isFull
                ? $"The background queue is full and does not accept {item.Message.GetType()}: handlers that run in it, and what they started, have added {_maxFollows} messages beyond its length of {_length}."
                : $"The background queue is closed and does not accept {item.Message.GetType()}."));
    }

    private void Start()
    {
        lock (_starting)
        {
            if (_worker is not null)
                return;
            // The worker handles the messages of all posters, so it must not inherit the AsyncLocal values of the first one.
            using var flow = ExecutionContext.IsFlowSuppressed() ? (AsyncFlowControl?)null : ExecutionContext.SuppressFlow();
            _worker = Task.Run(Work);
        }
    }

    private async Task Work()
    {
        s_working.Value = this;
        var context = ExecutionContext.Capture()!;
        while (await _items.Reader.WaitToReadAsync(CancellationToken.None).ConfigureAwait(false))
        {
            while (_items.Reader.TryRead(out var item))
            {
                Leave();
                if (item.Pipeline is not null)
                    await Handle(item, context).ConfigureAwait(false);
                while (Volatile.Read(ref _hasFollows) && NextFollow(isLast: false) is { } follow)
                    await Handle(follow, context).ConfigureAwait(false);
            }
        }

        // Code that a handler started without awaiting it may still add some.
        while (NextFollow(isLast: true) is { } follow)
            await Handle(follow, context).ConfigureAwait(false);
    }

    // Items that a test harness observes, and items dropped at the stop, take the slower path.
    private ValueTask Handle(in Item item, ExecutionContext context)
    {
        if (item.Work is not null || _stopped.IsCancellationRequested)
            return HandleObserved(item);
        ValueTask<object?> handling;
        try
        {
            handling = item.Pipeline.InvokeUntyped(item.Message, item.Origin, _stopped.Token);
        }
        catch (Exception error)
        {
            handling = ValueTask.FromException<object?>(error);
        }

        // Changes of a handler that is not an async method must not leak into the next one.
        if (!ReferenceEquals(ExecutionContext.Capture(), context))
            ExecutionContext.Restore(context);
        if (SynchronizationContext.Current is not null)
            SynchronizationContext.SetSynchronizationContext(null);
        if (!handling.IsCompletedSuccessfully)
            return Complete(item, handling);
        _ = handling.GetAwaiter().GetResult();
        return default;
    }

    private void End(Item item)
    {
        if (item.Work is not null)
            _observer!.End(item.Work);
    }

    private async ValueTask HandleObserved(Item item)
    {
        if (item.Work is not null)
            _observer!.Enter(item.Work);
        try
        {
            if (_stopped.IsCancellationRequested)
                LogGivenUp(_logger, item.Message.GetType());
            else
                await Complete(item, InvokeAsync(item)).ConfigureAwait(false);
        }
        finally
        {
            End(item);
        }
    }

    private async ValueTask<object?> InvokeAsync(Item item) => await item.Pipeline.InvokeUntyped(item.Message, item.Origin, _stopped.Token).ConfigureAwait(false);

    private async ValueTask Complete(Item item, ValueTask<object?> handling)
    {
        try
        {
            await handling.ConfigureAwait(false);
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
            Volatile.Write(ref _hasFollows, false);
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
