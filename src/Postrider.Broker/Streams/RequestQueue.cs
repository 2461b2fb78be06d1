using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Routing;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>Requests that wait for the disk or go through a whole stream: handled one after the other on the thread pool, as the thread
/// of a connection serves other connections too.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class RequestQueue(SendBatchSet batches, ILogger logger) : IThreadPoolWorkItem
{
    // As many as the reference queues.
    private const int MostWaiting = 10_000;

    // Guards what follows; nothing is called under it.
    private readonly Lock _gate = new();
    private readonly Queue<(IMessageHandler Handler, HeldMessage Message)> _waiting = [];
    private bool _isRunning;
    private bool _isStopped;

    /// <summary>Whether nothing waits and nothing is being handled.</summary>
    public bool IsIdle => !Volatile.Read(ref _isRunning);

    /// <summary>Has a request handled.</summary>
    /// <returns>False when too many wait.</returns>
    public bool TryAdd(
        IMessageHandler handler,
        IPublisher? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            if (_isStopped) return true;
            if (_waiting.Count == MostWaiting) return false;
            _waiting.Enqueue((handler, new HeldMessage(publisher, subject, replyTo, headers, payload)));
            if (_isRunning) return true;
            _isRunning = true;
        }
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return true;
    }

    /// <summary>Forgets what waits and returns when what is being handled has ended. Not from a handler.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            _isStopped = true;
            _waiting.Clear();
        }
        SpinWait.SpinUntil(() => IsIdle);
    }

    /// <inheritdoc/>
    public void Execute()
    {
        while (TryTake(out var request))
        {
            try
            {
                batches.Run(request, static (request, batch) => request.Message.Pass(request.Handler, batch));
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                // The next request has nothing to do with it.
                StreamLog.RequestFailed(logger, Encoding.UTF8.GetString(request.Message.Subject), error);
            }
        }
    }

    private bool TryTake(out (IMessageHandler Handler, HeldMessage Message) request)
    {
        lock (_gate)
        {
            if (_waiting.TryDequeue(out request)) return true;
            _isRunning = false;
            return false;
        }
    }
}
