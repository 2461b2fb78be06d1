// Hot path: NatsClient -> this -> NatsSession. Allocations: none once pooled.
using System.Buffers.Text;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.Requests;

/// <summary>Sends requests and matches replies, all over one inbox.</summary>
internal sealed class Requester : IDisposable
{
    // The precision of timeouts: the timer does not run more often.
    private static readonly TimeSpan MinTimerInterval = TimeSpan.FromMilliseconds(5);

    private readonly NatsSession _session;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;

    // Guards the creation of the inbox, and the timer.
    private readonly Lock _gate = new();
    private ReplyInbox? _inbox;
    private long _timerDue = long.MaxValue;

    public Requester(NatsSession session)
    {
        _session = session;
        _time = session.Options.TimeProvider;
        ContinuesInline = session.Options.ContinueOnReceiveThread;
        _timer = _time.CreateTimer(static state => ((Requester)state!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        session.Ended += OnEnded;
        session.PublishRejected += OnPublishRejected;
    }

    public ReplySlots Slots { get; } = new();

    public bool ContinuesInline { get; }

    public long Now => _time.GetTimestamp();

    /// <summary>Sends a request.</summary>
    public ValueTask<NatsMessage<TReply>> RequestAsync<TRequest, TReply>(
        string subject,
        TRequest data,
        TimeSpan? timeout,
        NatsHeaders? headers,
        Serializer<TRequest>? requestSerializer,
        Serializer<TReply>? replySerializer,
        CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled<NatsMessage<TReply>>(ct);
        var inbox = Volatile.Read(ref _inbox);
        if (inbox is null || inbox.IsEnded) inbox = OpenInbox();
        var pending = PendingReply<TReply>.Rent(this, subject, replySerializer ?? _session.Serializers.Get<TReply>(), timeout is { } given ? TimeLimit.Checked(given, nameof(timeout)) : _session.Options.RequestTimeout);
        Slots.Add(pending);
        var task = pending.AsTask();
        Span<byte> replyTo = stackalloc byte[inbox.Prefix.Length + 20];
        inbox.Prefix.CopyTo(replyTo);
        Utf8Formatter.TryFormat(pending.Token, replyTo[inbox.Prefix.Length..], out var digits);
        try
        {
            EnsureTimer(pending.Deadline);
            // A full outbox slows down callers that publish in a loop; a request is slowed down by its reply.
            var published = _session.PublishAsync(subject, data, replyTo[..(inbox.Prefix.Length + digits)], headers, requestSerializer, ct);
            if (published.IsFaulted || published.IsCanceled) published.GetAwaiter().GetResult();
            pending.CancelWith(ct);
        }
        catch (Exception error)
        {
            if (Slots.Take(pending.Token) is not null) pending.Fail(error);
        }
        return task;
    }

    /// <summary>The timestamp of a deadline.</summary>
    public long DeadlineAfter(long start, TimeSpan timeout)
        => timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : start + (long)(timeout.TotalSeconds * _time.TimestampFrequency);

    public TimeSpan Elapsed(long start) => _time.GetElapsedTime(start);

    public void Dispose() => _timer.Dispose();

    private ReplyInbox OpenInbox()
    {
        lock (_gate)
        {
            if (_inbox is { IsEnded: false }) return _inbox;
            var inbox = new ReplyInbox(_session, _session.NewInbox(), Slots);
            _session.Subscribe(inbox);
            Volatile.Write(ref _inbox, inbox);
            return inbox;
        }
    }

    private void EnsureTimer(long deadline)
    {
        if (deadline >= Volatile.Read(ref _timerDue)) return;
        lock (_gate)
        {
            if (deadline >= _timerDue) return;
            SetTimer(deadline);
        }
    }

    private void SetTimer(long due)
    {
        Volatile.Write(ref _timerDue, due);
        var wait = _time.GetElapsedTime(Now, due);
        _timer.Change(wait > MinTimerInterval ? wait : MinTimerInterval, Timeout.InfiniteTimeSpan);
    }

    private void OnTime()
    {
        var now = Now;
        foreach (var pending in Slots.TakeWhere(pending => pending.Deadline <= now)) pending.Fail(pending.TimeoutError(_session));
        lock (_gate)
        {
            var next = Slots.EarliestDeadline();
            if (next == long.MaxValue) Volatile.Write(ref _timerDue, next);
            else SetTimer(next);
        }
    }

    private void OnPublishRejected(string subject, NatsClientException error)
    {
        foreach (var pending in Slots.TakeWhere(pending => pending.Subject == subject)) pending.Fail(error);
    }

    private void OnEnded(NatsClientException error)
    {
        foreach (var pending in Slots.TakeWhere(static _ => true)) pending.Fail(error);
    }
}
