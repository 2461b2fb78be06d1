// Hot path: Requester -> this -> the caller. Allocations: none once pooled, but what the reply's type needs.
using System.Text;
using System.Threading.Tasks.Sources;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.Requests;

/// <summary>A request for a reply of one type; pooled, and the source of its own task.</summary>
internal sealed class PendingReply<T> : PendingReply, IValueTaskSource<NatsMessage<T>>, IThreadPoolWorkItem
{
    private const int PoolSize = 512;
    private const int NoRespondersStatus = 503;

    // Guards the pool.
    private static readonly Lock PoolGate = new();
    private static readonly PendingReply<T>?[] Pool = new PendingReply<T>?[PoolSize];
    private static int _pooled;

    private ManualResetValueTaskSourceCore<NatsMessage<T>> _core;
    private CancellationTokenRegistration _cancellation;
    private Serializer<T> _serializer = null!;
    private Requester _requester = null!;
    private TimeSpan _timeout;
    private NatsMessage<T> _reply;
    private Exception? _error;
    private long _started;

    public static PendingReply<T> Rent(Requester requester, string subject, Serializer<T> serializer, TimeSpan timeout)
    {
        PendingReply<T>? pending = null;
        lock (PoolGate)
        {
            if (_pooled > 0)
            {
                pending = Pool[--_pooled];
                Pool[_pooled] = null;
            }
        }
        pending ??= new PendingReply<T>();
        pending._requester = requester;
        pending._serializer = serializer;
        pending._timeout = timeout;
        pending._started = requester.Now;
        pending.Subject = subject;
        pending.Deadline = requester.DeadlineAfter(pending._started, timeout);
        return pending;
    }

    public ValueTask<NatsMessage<T>> AsTask() => new(this, _core.Version);

    public void CancelWith(CancellationToken ct)
    {
        if (ct.CanBeCanceled) _cancellation = ct.UnsafeRegister(static (state, token) => ((PendingReply<T>)state!).Cancel(token), this);
    }

    public override void Complete(in Frame frame, NatsSession session)
    {
        if (frame.HeaderBytes > 0 && frame.HeaderBytes == frame.TotalBytes && HeaderBlock.ReadStatus(frame.Headers) == NoRespondersStatus)
        {
            Fail(new NatsNoRespondersException(Subject));
            return;
        }
        T data = default!;
        Exception? unreadable = null;
        try
        {
            data = _serializer.Read(frame.Payload);
        }
        catch (Exception error)
        {
            unreadable = error;
        }
        var headers = frame.HeaderBytes > 0 ? new NatsHeaders(frame.Headers) : null;
        var replyTo = frame.ReplyTo.IsEmpty ? null : Encoding.UTF8.GetString(frame.ReplyTo);
        _reply = new NatsMessage<T>(session, Subject, replyTo, headers, data, frame.TotalBytes, unreadable);
        GoOn();
    }

    public override void Fail(Exception error)
    {
        _error = error;
        GoOn();
    }

    public override NatsClientException TimeoutError(NatsSession session)
    {
        var outage = LostConnection.Describe(session);
        return new(NatsErrorCode.RequestTimeout, $"No reply to the request on '{Subject}' arrived within {_timeout.TotalSeconds:0.###} s.{(outage is null ? "" : " ")}{outage}");
    }

    public void Execute()
    {
        if (_error is not null) _core.SetException(_error);
        else _core.SetResult(_reply);
    }

    NatsMessage<T> IValueTaskSource<NatsMessage<T>>.GetResult(short token)
    {
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            Release();
        }
    }

    ValueTaskSourceStatus IValueTaskSource<NatsMessage<T>>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<NatsMessage<T>>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _core.OnCompleted(continuation, state, token, flags);

    private void Cancel(CancellationToken ct)
    {
        if (_requester.Slots.Take(Token) is not null) Fail(new OperationCanceledException(ct));
    }

    private void GoOn()
    {
        if (Telemetry.IsTimingRequests) Telemetry.RequestEnded(Subject, _requester.Elapsed(_started), _error);
        if (_requester.ContinuesInline) Execute();
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Release()
    {
        // Waits for a cancellation that is running now, so that it cannot affect the next request.
        _cancellation.Dispose();
        _cancellation = default;
        _core.Reset();
        _reply = default;
        _error = null;
        lock (PoolGate)
        {
            if (_pooled < PoolSize) Pool[_pooled++] = this;
        }
    }
}
