using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Requests that wait for the disk or read a whole stream: handled on the thread pool, because a connection's
/// thread serves other connections too.</summary>
/// <param name="batches">The batches to which the responses are written.</param>
/// <param name="account">The account's name, for the log.</param>
/// <param name="logger">The log for exceptions of requests, and for requests that are refused.</param>
/// <param name="atOnce">Maximum number of requests handled concurrently, each of another user.</param>
/// <remarks>Thread-safe. Users take turns, so that many requests of one user do not delay another's; a connection without a user name
/// counts as a separate user. The requests of one user are handled in their order, one after the other.</remarks>
internal sealed class RequestQueue(SendBatchSet batches, string account, ILogger logger, int atOnce = 1) : IThreadPoolWorkItem
{
    // The limit of nats-server's queue.
    private const int MaxWaiting = 10_000;

    // A request may be as large as a message: with only a count, one client could hold 10 GB.
    private const long MaxWaitingBytes = 64 * 1024 * 1024;

    // Guards the fields below, and is pulsed when the last request has ended; nothing is called while it is held.
    private readonly object _gate = new();
    private readonly Dictionary<(string? User, ulong Connection), Line> _lines = [];
    private readonly Queue<Line> _turns = [];
    private int _waiting;
    private long _waitingBytes;
    private int _running;
    private bool _isStopped;

    // Whether a refusal was logged; until half of the queue is free again, others are not.
    private bool _refuses;

    /// <summary>Whether no request waits and none is being handled.</summary>
    public bool IsIdle => Volatile.Read(ref _running) == 0;

    /// <summary>Queues a request.</summary>
    /// <returns>False when the queue is full and this user has used its share, or the queue was stopped: the request is not handled.</returns>
    public bool TryAdd(
        IInternalSubscriber handler,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload)
    {
        var key = publisher is null ? default : publisher.UserName is { } user ? (user, 0) : ((string?)null, publisher.Id);
        var bytes = subject.Length + replyTo.Length + headers.Length + payload.Length;
        var isAdded = false;
        lock (_gate)
        {
            if (_isStopped) return false;
            var isNew = !_lines.TryGetValue(key, out var line);
            line ??= new Line(key);
            if (HasRoom(line, isNew ? _lines.Count + 1 : _lines.Count, bytes))
            {
                isAdded = true;
                if (isNew)
                {
                    _lines.Add(key, line);
                    _turns.Enqueue(line);
                }
                line.Requests.Enqueue((handler, new OwnedMessage(publisher, subject, replyTo, headers, payload)));
                line.Bytes += bytes;
                _waiting++;
                _waitingBytes += bytes;
                if (_turns.Count == 0 || _running == atOnce) return true;
                _running++;
            }
            else
            {
                if (_refuses) return false;
                _refuses = true;
            }
        }
        if (isAdded) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        else StreamLog.RequestsRefused(logger, account, Volatile.Read(ref _waiting), Volatile.Read(ref _waitingBytes));
        return isAdded;
    }

    /// <summary>Drops waiting requests, accepts no more, and waits until the running requests have ended. Not to be called from a handler.</summary>
    /// <param name="limit">The maximum time to wait.</param>
    /// <returns>False when a request is still running.</returns>
    public bool Stop(TimeSpan limit)
    {
        lock (_gate)
        {
            _isStopped = true;
            _lines.Clear();
            _turns.Clear();
            _waiting = 0;
            _waitingBytes = 0;
            // A stopped queue never runs again, so that a single pulse, by the last request, is all there is to wait for.
            return _running == 0 || Monitor.Wait(_gate, limit);
        }
    }

    /// <summary>Logs the exception of a request.</summary>
    public void OnFailed(ReadOnlySpan<byte> subject, Exception error) => StreamLog.RequestFailed(logger, Encoding.UTF8.GetString(subject), error);

    /// <inheritdoc/>
    public void Execute()
    {
        BackgroundWork.Begin();
        Line? line = null;
        while (TryTake(ref line, out var request))
        {
            try
            {
                batches.Run(request, static (request, batch) => request.Message.Pass(request.Handler, batch));
            }
            catch (Exception error)
            {
                // The next request is unrelated, and an exception on this thread would end the process.
                OnFailed(request.Message.Subject, error);
            }
            // The connections' threads continue first: with more threads than processors, each of them waits for a whole time slice otherwise.
            Thread.Yield();
        }
    }

    // When the queue is full, a user may still use an equal share of it.
    private bool HasRoom(Line line, int users, int bytes)
        => (_waiting < MaxWaiting || line.Requests.Count < MaxWaiting / users)
            && (_waitingBytes + bytes <= MaxWaitingBytes || line.Bytes + bytes <= MaxWaitingBytes / users);

    // Returns the line whose request was handled, and takes the next one's.
    private bool TryTake(ref Line? line, out (IInternalSubscriber Handler, OwnedMessage Message) request)
    {
        lock (_gate)
        {
            if (line is not null && !_isStopped)
            {
                if (line.Requests.Count > 0) _turns.Enqueue(line);
                else _lines.Remove(line.Key);
            }
            if (!_turns.TryDequeue(out line))
            {
                request = default;
                if (--_running == 0) Monitor.PulseAll(_gate);
                return false;
            }

            request = line.Requests.Dequeue();
            var bytes = request.Message.Bytes;
            line.Bytes -= bytes;
            _waiting--;
            _waitingBytes -= bytes;
            if (_refuses && _waiting < MaxWaiting / 2 && _waitingBytes < MaxWaitingBytes / 2) _refuses = false;
            return true;
        }
    }

    // The waiting requests of one user. While one of its requests is handled it is in no queue, so that the next one waits for it.
    private sealed class Line((string? User, ulong Connection) key)
    {
        public (string? User, ulong Connection) Key => key;

        public Queue<(IInternalSubscriber Handler, OwnedMessage Message)> Requests { get; } = [];

        public long Bytes { get; set; }
    }
}
