using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Rpc.Interception;

namespace Postrider.Rpc.Server;

/// <summary>One-way calls over HTTP that were accepted (202) and have not completed.</summary>
/// <remarks><see cref="OneWayCallQueueServiceCollectionExtensions.AddOneWayCallQueue"/> registers it as a hosted service: on shutdown,
/// the application waits for accepted calls to complete, within the host's shutdown timeout. Thread-safe.</remarks>
public sealed class OneWayCallQueue : IHostedService
{
    private readonly OneWayCallQueueOptions _options;

    // Guards the fields below.
    private readonly Lock _gate = new();
    private readonly Queue<Func<Task<bool>>> _waiting = new();
    private int _running;
    private bool _isStopping;
    private TaskCompletionSource? _drained;
    private long _handled;
    private long _failed;
    private long _refused;

    /// <summary>Creates an empty queue.</summary>
    /// <param name="options">The limits; null for the defaults.</param>
    public OneWayCallQueue(OneWayCallQueueOptions? options = null)
    {
        _options = options ?? new OneWayCallQueueOptions();
        ArgumentOutOfRangeException.ThrowIfNegative(_options.MaxWaiting, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(_options.MaxRunning, nameof(options));
    }

    /// <summary>The number of waiting calls.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
                return _waiting.Count;
        }
    }

    /// <summary>The number of running calls.</summary>
    public int Running
    {
        get
        {
            lock (_gate)
                return _running;
        }
    }

    /// <summary>The number of calls that completed without a failure.</summary>
    public long Handled => Interlocked.Read(ref _handled);

    /// <summary>The number of calls that failed. Their exceptions are logged.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>The number of calls rejected because the queue was full or the application was stopping.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    internal ILogger Logger { get; set; } = NullLogger.Instance;

    /// <summary>Does nothing: the queue accepts calls from the start.</summary>
    /// <param name="cancellationToken">Not used.</param>
    /// <returns>A completed task.</returns>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Stops accepting calls and waits until the accepted ones have completed.</summary>
    /// <param name="cancellationToken">Ends the wait; remaining calls continue while the process runs, and are logged.</param>
    /// <returns>A task that completes when no call is running, or when the wait has ended.</returns>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        Task drained;
        lock (_gate)
        {
            _isStopping = true;
            if (_running == 0)
                return;
            _drained ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            drained = _drained.Task;
        }

        try
        {
            await drained.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            Log.CallsLeft(Logger, Running, Waiting);
        }
    }

    /// <summary>Enqueues a call.</summary>
    /// <param name="run">Runs the call and returns whether it succeeded. Must not throw.</param>
    /// <exception cref="RpcException">The queue is full (<see cref="RpcStatus.Busy"/>) or the application is stopping
    /// (<see cref="RpcStatus.Unavailable"/>).</exception>
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
        MetricsObserver.CountEvent("refused");
        throw _isStopping ? new RpcException(RpcStatus.Unavailable, "The server is stopping.") : new RpcException(RpcStatus.Busy, $"The queue has reached its limit of {_options.MaxWaiting} waiting calls.");
    }

    private async Task RunAsync(Func<Task<bool>>? run)
    {
        // The response is sent before the operation runs, which may block.
        await Task.Yield();
        for (; run is not null; run = Next())
        {
            try
            {
                var isHandled = await run().ConfigureAwait(false);
                Interlocked.Increment(ref isHandled ? ref _handled : ref _failed);
                MetricsObserver.CountEvent(isHandled ? "handled" : "failed");
            }
            catch (Exception thrown)
            {
                // A logger or a metrics listener threw: TaskScheduler.UnobservedTaskException receives it, and the next event is handled.
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
