// Hot path: the reader -> this -> the handler. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Postrider.Client.Sessions;

/// <summary>Processes the messages of a loop concurrently.</summary>
/// <typeparam name="TMessage">The type of message.</typeparam>
/// <remarks>
/// Leader/followers: a thread that takes a message hands over the reader before it processes the message: to a wait for the next message,
/// or, if that is available already, to a work item of the pool. It continues with further messages when the processing returns,
/// completed or not. At the maximum concurrency the reader is not handed over until the processing of a message completes.
/// </remarks>
internal sealed class MessageWorkers<TMessage> : IThreadPoolWorkItem
{
    // After so many messages, other work items of the pool get the thread.
    private const int MaxMessagesInTurn = 64;

    private static readonly ContextCallback WorkCallback = static workers => ((MessageWorkers<TMessage>)workers!).Work();
    private static readonly ContextCallback ArrivedCallback = static workers => ((MessageWorkers<TMessage>)workers!).Arrived(waited: true);

    private readonly MessageLoop<TMessage> _loop;
    private readonly int _concurrency;
    private readonly CancellationToken _stop;
    private readonly CancellationToken _work;
    private readonly Action _arrived;
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Handlers see the async locals of the subscriber.
    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    // Guards the reader, unless a wait is pending, and the fields below.
    private readonly Lock _gate = new();
    private int _processing;
    private bool _isWaiting;
    private bool _isQueued;
    private bool _isOver;

    // Only used by the thread that set _isWaiting, and by the continuation of its wait.
    private ConfiguredValueTaskAwaitable<bool>.ConfiguredValueTaskAwaiter _wait;

    /// <param name="loop">Has the messages and processes them.</param>
    /// <param name="concurrency">The maximum number processed concurrently.</param>
    /// <param name="stop">Takes no further message.</param>
    /// <param name="work">Passed to the processing.</param>
    public MessageWorkers(MessageLoop<TMessage> loop, int concurrency, CancellationToken stop, CancellationToken work)
    {
        (_loop, _concurrency, _stop, _work) = (loop, concurrency, stop, work);
        _arrived = () => Run(ArrivedCallback);
    }

    /// <summary>Takes messages until they end or the stop is requested.</summary>
    /// <returns>Completes when no further message is taken; messages taken before may still be processed.</returns>
    /// <exception cref="OperationCanceledException">The stop was requested.</exception>
    public async Task TakeAsync()
    {
        _isWaiting = true;
        Wait();
        using var registration = _stop.UnsafeRegister(static workers => ((MessageWorkers<TMessage>)workers!).Stop(), this);
        await _over.Task.ConfigureAwait(false);
    }

    /// <summary>Waits until nothing is processed any more. After <see cref="TakeAsync"/>.</summary>
    /// <returns>Completes when the last message has been processed.</returns>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate) return _processing == 0 ? Task.CompletedTask : _idle.Task;
    }

    void IThreadPoolWorkItem.Execute()
    {
        lock (_gate) _isQueued = false;
        Run(WorkCallback);
    }

    private void Run(ContextCallback callback)
    {
        if (_context is null) callback(this);
        else ExecutionContext.Run(_context, callback, this);
    }

    private void Work()
    {
        var hasCompleted = false;
        for (var taken = 0; TryTake(hasCompleted, taken == MaxMessagesInTurn, out var message); taken++)
        {
            var processing = _loop.WorkAsync(message, _work);
            hasCompleted = processing.IsCompletedSuccessfully;
            // A completed task is consumed once as well: its source may be pooled.
            if (processing.IsCompletedSuccessfully) processing.GetAwaiter().GetResult();
            else _ = CompleteAsync(processing);
        }
    }

    private bool TryTake(bool hasCompleted, bool isTurnOver, out TMessage message)
    {
        bool isTaken;
        lock (_gate)
        {
            message = default!;
            if (hasCompleted) CountCompleted();
            if (_isOver || _isWaiting || _processing == _concurrency) return false;
            if (_stop.IsCancellationRequested)
            {
                End(new OperationCanceledException(_stop));
                return false;
            }
            if (isTurnOver)
            {
                Queue();
                return false;
            }
            try
            {
                isTaken = _loop.TryTake(out message);
            }
            catch (Exception error)
            {
                // A failure of the reader ends the loop, as a failed wait does.
                End(error);
                return false;
            }
            if (isTaken && (++_processing == _concurrency || _isQueued)) return true;
            _isWaiting = true;
        }
        Wait();
        return isTaken;
    }

    private async Task CompleteAsync(ValueTask processing)
    {
        try
        {
            await processing.ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                CountCompleted();
                if (!_isOver && !_isWaiting) Queue();
            }
        }
    }

    // Called by the thread that set _isWaiting.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept until its task is complete and read once.")]
    private void Wait()
    {
        _wait = _loop.WaitAsync(_stop).ConfigureAwait(false).GetAwaiter();
        if (_wait.IsCompleted) Arrived(waited: false);
        else _wait.UnsafeOnCompleted(_arrived);
    }

    private void Arrived(bool waited)
    {
        var (isAny, mayWork) = (false, waited && !_loop.IsWokenInline);
        Exception? error = null;
        try
        {
            isAny = _wait.GetResult();
        }
        catch (Exception failure)
        {
            error = failure;
        }
        lock (_gate)
        {
            _isWaiting = false;
            if (!isAny) End(error);
            else if (!mayWork) Queue();
        }
        if (isAny && mayWork) Work();
    }

    private void Stop()
    {
        lock (_gate)
        {
            // A pending wait is cancelled by the same token, and ends the loop itself.
            if (!_isWaiting) End(new OperationCanceledException(_stop));
        }
    }

    private void CountCompleted()
    {
        if (--_processing == 0 && _isOver) _idle.TrySetResult();
    }

    private void Queue()
    {
        if (_isQueued) return;
        _isQueued = true;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void End(Exception? error)
    {
        _isOver = true;
        if (error is null) _over.TrySetResult();
        else _over.TrySetException(error);
    }
}
