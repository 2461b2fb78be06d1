// Hot path: the caller -> this -> NatsSession; AckInbox -> this. Allocations: none while there is room.
using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Publishing;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream;

/// <summary>Publishes to streams without waiting for each acknowledgement, with a bounded number of messages in flight.</summary>
/// <remarks>
/// Thread-safe. Messages of one thread arrive in the order of the calls, but one that is sent again comes after those sent
/// in the meantime. A message with an id survives a lost connection: it is sent again, and the stream stores it once.
/// </remarks>
public sealed class JetStreamPublisher : IAsyncDisposable
{
    private const int NoRespondersStatus = 503;

    // The precision of timeouts and of the delays before retries.
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    private readonly NatsSession _session;
    private readonly PublishWindow _window;
    private readonly AckInbox _inbox;
    private readonly PubAckSerializer _reader = new();
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly TimeSpan _ackTimeout;
    private readonly TimeSpan _retryDelay;
    private readonly int _retries;
    private int _ticking;
    private long _failures;
    private PublishFailure? _firstFailure;

    internal JetStreamPublisher(NatsSession session, PublisherOptions options, TimeSpan ackTimeout, int retries, TimeSpan retryDelay)
    {
        options.Check();
        _session = session;
        _time = session.Options.TimeProvider;
        _ackTimeout = options.AckTimeout ?? ackTimeout;
        _retries = options.Retries ?? retries;
        _retryDelay = options.RetryDelay ?? retryDelay;
        _window = new PublishWindow(options.MaxInFlight);
        _inbox = new AckInbox(session, session.NewInbox(), OnAnswer, OnEnded);
        _timer = _time.CreateTimer(static state => ((JetStreamPublisher)state!).OnTick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        session.Subscribe(_inbox);
        session.Events.Occurred += OnEvent;
    }

    /// <summary>Raised for each posted message that was not acknowledged, on a thread of the pool.</summary>
    public event Action<PublishFailure>? Failed;

    /// <summary>Number of messages that are not acknowledged yet.</summary>
    public int InFlight => _window.InFlight;

    /// <summary>Publishes a value and returns its acknowledgement; if there was room, the message is in the send buffer when the call returns.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of a stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">The message id and the expectations that the stream checks; null for none. The publisher's options override its retries and timeouts.</param>
    /// <param name="headers">Headers, or null. Do not change them before the acknowledgement has arrived.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>The acknowledgement. Await it once.</returns>
    /// <exception cref="JetStreamException">The stream rejected the message.</exception>
    /// <exception cref="NatsClientException">No acknowledgement in time, no stream, or the errors of a publish.</exception>
    public ValueTask<PublishAck> PublishAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled<PublishAck>(ct);
        return _window.TryBegin(out var pending)
            ? Publish(pending, subject, data, options, headers, serializer)
            : PublishLaterAsync(subject, data, options, headers, serializer, ct);
    }

    /// <summary>Posts a value: waits for room, but not for the acknowledgement.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="subject">A subject of a stream.</param>
    /// <param name="data">The value.</param>
    /// <param name="options">Like those of <see cref="PublishAsync{T}"/>.</param>
    /// <param name="headers">Headers, or null. Do not change them before the acknowledgement has arrived.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>Completes when the message is in the send buffer. Failures go to <see cref="Failed"/> and <see cref="FlushAsync"/>.</returns>
    /// <exception cref="NatsClientException">The errors of a publish.</exception>
    public ValueTask PostAsync<T>(
        string subject, T data, PublishOptions? options = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled(ct);
        return _window.TryBegin(out var pending)
            ? Send(pending, subject, data, options, headers, serializer, isPosted: true)
            : PostLaterAsync(subject, data, options, headers, serializer, ct);
    }

    /// <summary>Waits until every message was acknowledged or has failed.</summary>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>A task that completes when no message is in flight.</returns>
    /// <exception cref="NatsClientException">Posted messages failed since the last flush; the inner exception is that of the first one.</exception>
    public async ValueTask FlushAsync(CancellationToken ct = default)
    {
        await _window.WhenEmpty().WaitAsync(ct).ConfigureAwait(false);
        var failures = Interlocked.Exchange(ref _failures, 0);
        if (failures == 0) return;
        var first = Interlocked.Exchange(ref _firstFailure, null);
        throw new NatsClientException(
            first?.Error is NatsClientException known ? known.Code : NatsErrorCode.JetStreamError,
            $"{failures} posted messages were not acknowledged; the first, on '{first?.Subject}': {first?.Error.Message}",
            first?.Error);
    }

    /// <summary>Waits until all messages are acknowledged, at most for <see cref="ClientOptions.DrainTimeout"/>, and closes the publisher. Failures are only reported by <see cref="Failed"/>.</summary>
    /// <returns>A task that completes when every message was acknowledged or has failed.</returns>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await _window.WhenEmpty().WaitAsync(_session.Options.DrainTimeout, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            OnEnded(new NatsClientException(NatsErrorCode.ClientClosed, "The publisher was disposed before the acknowledgement arrived."));
        }
        _session.Events.Occurred -= OnEvent;
        await _timer.DisposeAsync().ConfigureAwait(false);
        await _inbox.DisposeAsync().ConfigureAwait(false);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<PublishAck> PublishLaterAsync<T>(
        string subject, T data, PublishOptions? options, NatsHeaders? headers, Serializer<T>? serializer, CancellationToken ct)
    {
        PendingPublish? pending;
        while (!_window.TryBegin(out pending)) await _window.WhenRoom().WaitAsync(ct).ConfigureAwait(false);
        return await Publish(pending, subject, data, options, headers, serializer).ConfigureAwait(false);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask PostLaterAsync<T>(
        string subject, T data, PublishOptions? options, NatsHeaders? headers, Serializer<T>? serializer, CancellationToken ct)
    {
        PendingPublish? pending;
        while (!_window.TryBegin(out pending)) await _window.WhenRoom().WaitAsync(ct).ConfigureAwait(false);
        await Send(pending, subject, data, options, headers, serializer, isPosted: true).ConfigureAwait(false);
    }

    private ValueTask<PublishAck> Publish<T>(
        PendingPublish pending, string subject, T data, PublishOptions? options, NatsHeaders? headers, Serializer<T>? serializer)
    {
        var task = pending.AsTask();
        var sent = Send(pending, subject, data, options, headers, serializer, isPosted: false);
        // A full outbox slows down callers that post in a loop; callers that await acknowledgements are slowed down by those.
        if (sent.IsFaulted) sent.GetAwaiter().GetResult();
        return task;
    }

    private ValueTask Send<T>(
        PendingPublish pending, string subject, T data, PublishOptions? options, NatsHeaders? headers, Serializer<T>? serializer, bool isPosted)
    {
        var token = pending.Token;
        try
        {
            if (_inbox.IsEnded) throw new NatsClientException(NatsErrorCode.ClientClosed, "The publisher or its client is closed.");
            pending.Begin(subject, options is null ? headers : options.AddTo(headers), options?.MessageId, isPosted);
            pending.RetriesLeft = _retries;
            if (data is not null) (serializer ?? _session.Serializers.Get<T>()).Write(pending, data);
            pending.Deadline = DeadlineAfter(_ackTimeout);
            EnsureTicking();
            return Transmit(pending, token);
        }
        catch
        {
            if (_window.Take(token) is { } taken) _window.Leave(taken);
            throw;
        }
    }

    private ValueTask Transmit(PendingPublish pending, long token)
    {
        Span<byte> target = stackalloc byte[_inbox.MaxReplyBytes];
        return _session.PublishBytesAsync(pending.Subject, _inbox.WriteReply(token, target), pending.Headers, pending.Payload, CancellationToken.None);
    }

    // On the receiving thread.
    private void OnAnswer(long token, in Frame frame)
    {
        if (frame.HeaderBytes > 0 && frame.HeaderBytes == frame.TotalBytes && HeaderBlock.ReadStatus(frame.Headers) == NoRespondersStatus)
        {
            OnNoResponders(token);
            return;
        }
        if (_window.Find(token) is not { } pending) return;
        try
        {
            var reply = _reader.Read(frame.Payload);
            // An earlier attempt is being stored: the reply to a later one has its sequence.
            if (reply.Error?.ErrorCode == JetStreamErrors.DuplicateInProcess && TryRest(pending)) return;
            if (_window.Take(token) is null) return;
            if (reply.Error is not null) Fail(pending, reply.ToException(pending.Subject));
            else Succeed(pending, reply.Ack);
        }
        catch (Exception error)
        {
            if (_window.Take(token) is null) return;
            Fail(pending, new NatsClientException(NatsErrorCode.PayloadUnreadable, $"The reply to a publish on '{pending.Subject}' is not an acknowledgement: {error.Message}", error));
        }
    }

    private void Succeed(PendingPublish pending, in PublishAck ack)
    {
        if (pending.IsPosted)
        {
            _window.Leave(pending);
            return;
        }
        _window.Leave(null);
        pending.Complete(ack, null, _session.Options.ContinueOnReceiveThread);
    }

    private void OnNoResponders(long token)
    {
        if (_window.Find(token) is not { } pending) return;
        if (TryRest(pending)) return;
        if (_window.Take(token) is not null)
            Fail(pending, new NatsClientException(NatsErrorCode.JetStreamUnavailable, $"No stream responds on '{pending.Subject}': no stream has that subject, or the stream has no leader."));
    }

    // The timer sends it again.
    private bool TryRest(PendingPublish pending)
    {
        if (pending.RetriesLeft <= 0) return false;
        pending.RetriesLeft--;
        pending.IsResting = true;
        pending.Deadline = DeadlineAfter(_retryDelay);
        return true;
    }

    private void OnTick()
    {
        var now = _time.GetTimestamp();
        foreach (var (pending, token) in _window.Where(pending => pending.Deadline <= now))
        {
            var mayResend = pending.IsResting || (pending.MessageId is not null && pending.RetriesLeft-- > 0);
            if (mayResend) Resend(pending, token);
            else if (_window.Take(token) is not null)
                Fail(pending, new NatsClientException(NatsErrorCode.RequestTimeout, $"The publish on '{pending.Subject}' was not acknowledged within {_ackTimeout.TotalSeconds:0.###} s."));
        }
        Volatile.Write(ref _ticking, 0);
        if (_window.InFlight > 0) EnsureTicking();
    }

    private void OnEvent(ClientEvent told)
    {
        if (told.Kind != ClientEventKind.Reconnected) return;
        foreach (var (pending, token) in _window.Where(static pending => pending.MessageId is not null && pending.Deadline != long.MaxValue)) Resend(pending, token);
    }

    private void Resend(PendingPublish pending, long token)
    {
        if (!_window.TryRenew(pending, token)) return;
        pending.IsResting = false;
        pending.Deadline = DeadlineAfter(_ackTimeout);
        var renewed = pending.Token;
        try
        {
            var sent = Transmit(pending, renewed);
            if (sent.IsFaulted) sent.GetAwaiter().GetResult();
        }
        catch (NatsClientException error)
        {
            if (_window.Take(renewed) is not null) Fail(pending, error);
        }
    }

    private void OnEnded(NatsClientException? error)
    {
        foreach (var (pending, token) in _window.Where(static _ => true))
            if (_window.Take(token) is not null) Fail(pending, error ?? new NatsClientException(NatsErrorCode.ClientClosed, "The client is closed."));
    }

    private void Fail(PendingPublish pending, Exception error)
    {
        if (!pending.IsPosted)
        {
            _window.Leave(null);
            pending.Complete(default, error, inline: false);
            return;
        }
        var failure = new PublishFailure(pending.Subject, pending.MessageId, error);
        Interlocked.CompareExchange(ref _firstFailure, failure, null);
        Interlocked.Increment(ref _failures);
        _window.Leave(pending);
        if (Failed is { } failed) ThreadPool.UnsafeQueueUserWorkItem(static told => told.failed(told.failure), (failed, failure), preferLocal: false);
    }

    private long DeadlineAfter(TimeSpan wait) => _time.GetTimestamp() + (long)(wait.TotalSeconds * _time.TimestampFrequency);

    private void EnsureTicking()
    {
        if (Interlocked.Exchange(ref _ticking, 1) == 0) _timer.Change(Tick, Timeout.InfiniteTimeSpan);
    }
}
