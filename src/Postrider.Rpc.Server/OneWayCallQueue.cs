using Microsoft.Extensions.Hosting;
using Postrider.Rpc.Metering;

namespace Postrider.Rpc.Server;

/// <summary>The calls of one-way operations over HTTP between their answer, which is 202, and their end.</summary>
/// <remarks><see cref="OneWayCallQueueServiceCollectionExtensions.AddOneWayCallQueue"/> registers it: when the application stops, what was taken is handled before it
/// ends, as long as the host's shutdown may last. Thread-safe.</remarks>
public sealed class OneWayCallQueue : IHostedService
{
    private readonly OneWayCallQueueOptions _options;

    // Guards what follows.
    private readonly Lock _gate = new();
    private readonly Queue<Func<Task<bool>>> _waiting = new();
    private int _running;
    private bool _isStopping;
    private TaskCompletionSource? _drained;
    private long _handled;
    private long _failed;
    private long _refused;

    /// <summary>Takes nothing yet.</summary>
    /// <param name="options">How much; null for the defaults.</param>
    public OneWayCallQueue(OneWayCallQueueOptions? options = null)
    {
        _options = options ?? new OneWayCallQueueOptions();
        ArgumentOutOfRangeException.ThrowIfNegative(_options.MaxWaiting, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(_options.MaxRunning, nameof(options));
    }

    /// <summary>How many wait.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
                return _waiting.Count;
        }
    }

    /// <summary>How many are being handled.</summary>
    public int Running
    {
        get
        {
            lock (_gate)
                return _running;
        }
    }

    /// <summary>How many were handled without a failure.</summary>
    public long Handled => Interlocked.Read(ref _handled);

    /// <summary>How many failed; the log has their exceptions.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>How many were refused, for want of room or because the application stops.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Does nothing: events are taken from the beginning.</summary>
    /// <param name="cancellationToken">Not looked at.</param>
    /// <returns>At once.</returns>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Takes no more and waits until what was taken is handled.</summary>
    /// <param name="cancellationToken">Ends the wait; what is left goes on while the process does.</param>
    /// <returns>When nothing is under way.</returns>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _isStopping = true;
            if (_running == 0)
                return Task.CompletedTask;
            _drained ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            return _drained.Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Takes an event.</summary>
    /// <param name="run">Handles it, and tells whether that went well; throws nothing.</param>
    /// <exception cref="RpcException">There is no room: <see cref="RpcStatus.Busy"/>; or the application stops: <see cref="RpcStatus.Unavailable"/>.</exception>
    internal void Post(Func<Task<bool>> run)
    {
        lock (_gate)
        {
            if (!_isStopping && _running < _options.MaxRunning)
            {
                _running++;
                _ = RunAsync(run);
                return;
            }

            if (!_isStopping && _waiting.Count < _options.MaxWaiting)
            {
                _waiting.Enqueue(run);
                return;
            }
        }

        Interlocked.Increment(ref _refused);
        MetricsInterceptor.CountEvent("refused");
        throw _isStopping ? new RpcException(RpcStatus.Unavailable, "The server is stopping.") : new RpcException(RpcStatus.Busy, $"The queue has reached its limit of {_options.MaxWaiting} waiting calls.");
    }

    private async Task RunAsync(Func<Task<bool>>? run)
    {
        // The answer goes out before the operation runs, and the operation may block.
        await Task.Yield();
        for (; run is not null; run = Next())
        {
            try
            {
                var isHandled = await run().ConfigureAwait(false);
                Interlocked.Increment(ref isHandled ? ref _handled : ref _failed);
                MetricsInterceptor.CountEvent(isHandled ? "handled" : "failed");
            }
            catch (Exception thrown)
            {
                // A log or a listener of metrics threw: TaskScheduler.UnobservedTaskException gets it, and the next event is handled.
                _ = Task.FromException(thrown);
            }
        }
    }

    private Func<Task<bool>>? Next()
    {
        lock (_gate)
        {
            if (_waiting.TryDequeue(out var next))
                return next;
            _running--;
            if (_running == 0)
                _drained?.TrySetResult();
            return null;
        }
    }
}
