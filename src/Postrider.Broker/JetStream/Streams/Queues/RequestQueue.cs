using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Requests that wait for the disk or go through a whole stream: handled on the thread pool, as the thread
/// of a connection serves other connections too.</summary>
/// <param name="batches">Where the answers are written.</param>
/// <param name="logger">Gets what a request throws.</param>
/// <param name="atOnce">How many requests are handled at the same time, each of another user.</param>
/// <remarks>Thread-safe. Users take turns, so that many requests of one do not hold up another's; a connection without a user's name
/// counts as a user of its own. The requests of one user are handled in their order, one after the other.</remarks>
internal sealed class RequestQueue(SendBatchSet batches, ILogger logger, int atOnce = 1) : IThreadPoolWorkItem
{
    // As many as nats-server queues.
    private const int MaxWaiting = 10_000;

    // A request may be as large as a message, so that a count alone would let one client hold 10 GB.
    private const long MaxWaitingBytes = 64 * 1024 * 1024;

    // Guards what follows, and is pulsed when the last request has ended; nothing is called under it.
    private readonly object _gate = new();
    private readonly Dictionary<(string? User, ulong Connection), Line> _lines = [];
    private readonly Queue<Line> _turns = [];
    private int _waiting;
    private long _waitingBytes;
    private int _running;
    private bool _isStopped;

    /// <summary>Whether nothing waits and nothing is being handled.</summary>
    public bool IsIdle => Volatile.Read(ref _running) == 0;

    /// <summary>Has a request handled.</summary>
    /// <returns>False when too many wait and this user has its share of them, or the queue was stopped: the request will not be handled.</returns>
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
        lock (_gate)
        {
            if (_isStopped) return false;
            var isNew = !_lines.TryGetValue(key, out var line);
            line ??= new Line(key);
            if (!HasRoom(line, isNew ? _lines.Count + 1 : _lines.Count, bytes)) return false;

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
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return true;
    }

    /// <summary>Drops what waits, takes nothing more, and waits until the requests that are being handled have ended. Not from a handler.</summary>
    /// <param name="limit">How long it waits.</param>
    /// <returns>False when a request is still being handled.</returns>
    public bool Stop(TimeSpan limit)
    {
        lock (_gate)
        {
            _isStopped = true;
            _lines.Clear();
            _turns.Clear();
            _waiting = 0;
            _waitingBytes = 0;
            // Stopped, it never runs again: one pulse, of the last one, is all there is to wait for.
            return _running == 0 || Monitor.Wait(_gate, limit);
        }
    }

    /// <summary>Logs what a request threw.</summary>
    public void OnFailed(ReadOnlySpan<byte> subject, Exception error) => StreamLog.RequestFailed(logger, Encoding.UTF8.GetString(subject), error);

    /// <inheritdoc/>
    public void Execute()
    {
        Line? line = null;
        while (TryTake(ref line, out var request))
        {
            try
            {
                batches.Run(request, static (request, batch) => request.Message.Pass(request.Handler, batch));
            }
            catch (Exception error)
            {
                // The next request has nothing to do with it, and an exception on this thread would end the process.
                OnFailed(request.Message.Subject, error);
            }
        }
    }

    // When the queue is full, a user still has the share that all of them would have.
    private bool HasRoom(Line line, int users, int bytes)
        => (_waiting < MaxWaiting || line.Requests.Count < MaxWaiting / users)
            && (_waitingBytes + bytes <= MaxWaitingBytes || line.Bytes + bytes <= MaxWaitingBytes / users);

    // Gives back the line whose request was handled, and takes the next one's.
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
            return true;
        }
    }

    // What waits of one user. While one of its requests is handled it stands in no queue, so that the next one waits for it.
    private sealed class Line((string? User, ulong Connection) key)
    {
        public (string? User, ulong Connection) Key => key;

        public Queue<(IInternalSubscriber Handler, OwnedMessage Message)> Requests { get; } = [];

        public long Bytes { get; set; }
    }
}
