// Hot path: ServerConnection -> this; the reader -> this. Allocations: none but for a pull, once per half a window.
using System.Buffers.Text;
using System.Text;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Pulls messages: one batch, or continuously with pulls that overlap so that the server always has one.</summary>
/// <remarks>
/// The messages owed by the server and those that the reader has not read form one window: it is refilled when half of it is read.
/// Statuses have the pull's number in their subject, so that a status of an abandoned pull has no effect.
/// Source: NATS ADR-37.
/// </remarks>
internal sealed class PullConsumerSubscription<T> : ConsumerSubscription<T>
{
    private static readonly JsonTypeSerializer<PullRequest> Requests = new(JetStreamJson.Default.PullRequest);

    // The delay before a consumer that did not respond is queried again.
    private static readonly TimeSpan RecoverDelay = TimeSpan.FromMilliseconds(250);

    // A batch without heartbeats is abandoned this long after the server should have ended it.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    private readonly PullSettings _settings;
    private readonly string _inbox;
    private readonly string _pullSubject;
    private readonly ITimer _timer;

    // Guards the window and the pulls' numbers.
    private readonly Lock _gate = new();
    private int _owed;
    private long _owedBytes;
    private long _unreadBytes;
    private int _lastPull;
    private int _firstValidPull = 1;
    private string? _pinId;

    // How often the connection was lost during the current check of the consumer; 0 when there is none.
    private int _recovering;

    public PullConsumerSubscription(ApiClient api, PullSettings settings, Serializer<T> serializer, bool isOrdered = false)
        : this(api, settings, serializer, isOrdered, api.Session.NewInbox())
    {
    }

    private PullConsumerSubscription(ApiClient api, PullSettings settings, Serializer<T> serializer, bool isOrdered, string inbox)
        : base(api, $"{inbox}.*", null, serializer, isOrdered)
    {
        _settings = settings;
        _inbox = inbox;
        _pullSubject = $"{api.Prefix}.CONSUMER.MSG.NEXT.{settings.Stream}.{settings.Consumer}";
        _timer = Time.CreateTimer(static state => ((PullConsumerSubscription<T>)state!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public override void Start()
    {
        base.Start();
        Refill();
        if (_settings.Heartbeat > TimeSpan.Zero) _timer.Change(_settings.Heartbeat, _settings.Heartbeat);
        else if (!_settings.IsEndless) _timer.Change((_settings.NoWait ? Api.Timeout : _settings.Expires) + Grace, Timeout.InfiniteTimeSpan);
    }

    public override async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override bool OnMessage(in Frame frame)
    {
        if (_settings.Group is not null && frame.HeaderBytes > 0) ReadPin(frame.Headers);
        lock (_gate)
        {
            if (_settings.MaxBytes > 0)
            {
                // Counted like the server does: subject, reply subject, headers and payload.
                _owedBytes = Math.Max(0, _owedBytes - frame.Subject.Length - frame.ReplyTo.Length - frame.TotalBytes);
                _unreadBytes += frame.TotalBytes;
            }
            return _owed > 0 && --_owed == 0 && !_settings.IsEndless;
        }
    }

    protected override void OnRead(int sizeBytes)
    {
        if (!_settings.IsEndless) return;
        if (_settings.MaxBytes > 0)
        {
            lock (_gate) _unreadBytes -= sizeBytes;
        }
        if (IsDue) Refill();
    }

    protected override void OnReconnected()
    {
        // The server dropped the pulls with the connection.
        if (IsOrdered) Restart("The connection was lost.");
        else if (!_settings.IsEndless) Finish();
        else if (Interlocked.Increment(ref _recovering) == 1) _ = RecoverAsync();
    }

    protected override void OnStatus(int status, in Frame frame)
    {
        if (status == 100)
        {
            OnHeartbeat(frame.Headers);
            return;
        }
        var isCurrent = Release(in frame);
        var text = Encoding.UTF8.GetString(new HeaderBlock(frame.Headers).StatusText);
        if (!_settings.IsEndless) OnBatchEnd(status, text);
        else if (isCurrent) OnPullEnd(status, text, PullStatus.Number(frame.Headers, "Nats-Pending-Bytes"u8) ?? 0);
    }

    private bool IsDue
        => Volatile.Read(ref _owed) + PendingMessages <= _settings.RefillAtMessages
            || (_settings.MaxBytes > 0 && Volatile.Read(ref _owedBytes) + Volatile.Read(ref _unreadBytes) <= _settings.RefillAtBytes);

    // The end of a single batch.
    private void OnBatchEnd(int status, string text)
    {
        if (status is 404 or 408) Finish();
        else if (status == 409 && !PullStatus.IsRefusal(text)) Finish();
        else if (status == 409 && text == PullStatus.TooLarge && Received > 0) Finish();
        else Finish(PullStatus.Error(status, text, _settings));
    }

    // The end of one of the overlapping pulls.
    private void OnPullEnd(int status, string text, long pendingBytes)
    {
        switch (status)
        {
            case 404 or 408:
                if (IsDue) Refill();
                break;
            case 423:
                _pinId = null;
                ForgetPulls();
                Refill();
                break;
            case 503:
            case 409 when PullStatus.IsPassing(text):
                ForgetPulls();
                if (IsOrdered) Restart(text);
                else Recover();
                break;
            // A pull smaller than the whole window may be too small for a message that the window has room for.
            case 409 when text == PullStatus.TooLarge && pendingBytes < _settings.MaxBytes:
            case 409 when !PullStatus.IsRefusal(text):
                if (IsDue) Refill();
                break;
            case 409 when text == PullStatus.Deleted && IsOrdered:
                Restart(text);
                break;
            default:
                Finish(PullStatus.Error(status, text, _settings));
                break;
        }
    }

    private void OnHeartbeat(ReadOnlySpan<byte> headers)
    {
        if (IsOrdered && PullStatus.Number(headers, "Nats-Last-Consumer"u8) is { } last && (ulong)last > Received)
            Restart($"Delivery {last} was sent, but only {Received} were received.");
    }

    /// <summary>Subtracts what a pull that ended will not deliver.</summary>
    /// <returns>False when the pull was abandoned before.</returns>
    private bool Release(in Frame frame)
    {
        var subject = frame.Subject;
        if (subject.Length <= _inbox.Length || !Utf8Parser.TryParse(subject[(_inbox.Length + 1)..], out int pull, out _)) return true;
        var messages = PullStatus.Number(frame.Headers, "Nats-Pending-Messages"u8);
        var bytes = PullStatus.Number(frame.Headers, "Nats-Pending-Bytes"u8);
        lock (_gate)
        {
            if (pull < _firstValidPull) return false;
            // A status without the remaining counts ends everything.
            _owed = messages is null ? 0 : Math.Max(0, _owed - (int)messages);
            _owedBytes = bytes is null ? 0 : Math.Max(0, _owedBytes - bytes.Value);
            return true;
        }
    }

    private void ForgetPulls()
    {
        lock (_gate)
        {
            _owed = 0;
            _owedBytes = 0;
            _firstValidPull = _lastPull + 1;
        }
    }

    private void Refill()
    {
        PullRequest request;
        int pull;
        lock (_gate)
        {
            var unread = PendingMessages;
            var messages = _settings.MaxMessages - _owed - unread;
            var bytes = _settings.MaxBytes - _owedBytes - _unreadBytes;
            if (messages <= 0 || (_settings.MaxBytes > 0 && bytes <= 0) || !IsDue || IsFinished) return;
            _owed += messages;
            if (_settings.MaxBytes > 0) _owedBytes += bytes;
            pull = ++_lastPull;
            request = new PullRequest
            {
                Batch = messages,
                MaxBytes = _settings.MaxBytes > 0 ? bytes : 0,
                Expires = _settings.NoWait ? TimeSpan.Zero : _settings.Expires,
                NoWait = _settings.NoWait,
                IdleHeartbeat = _settings.Heartbeat,
                Group = _settings.Group,
                MinPending = _settings.MinPending,
                MinAckPending = _settings.MinAckPending,
                Priority = _settings.Priority,
                PinId = _pinId,
            };
        }
        try
        {
            // A reader that pulls waits for messages anyway: it need not wait for a full outbox.
            var sent = Session.PublishAsync(_pullSubject, request, $"{_inbox}.{pull}", null, Requests, CancellationToken.None);
            if (sent.IsFaulted) sent.GetAwaiter().GetResult();
        }
        catch (NatsClientException error)
        {
            Finish(error);
        }
    }

    private void OnTime()
    {
        if (IsFinished) return;
        var isSilent = Volatile.Read(ref _owed) > 0 && (_settings.Heartbeat == TimeSpan.Zero || Silence > 2 * _settings.Heartbeat);
        if (!_settings.IsEndless)
        {
            if (isSilent) Finish();
            return;
        }
        if (!isSilent && !IsDue) return;
        if (IsOrdered) Restart($"The server was silent for {Silence.TotalSeconds:0.#} s.");
        else Recover();
    }

    private void Recover()
    {
        if (Interlocked.CompareExchange(ref _recovering, 1, 0) == 0) _ = RecoverAsync();
    }

    // If the connection is lost in the meantime, the query or the new pull is lost with it, and is repeated.
    private async Task RecoverAsync()
    {
        int losses;
        do
        {
            losses = Volatile.Read(ref _recovering);
            await TryRecoverAsync().ConfigureAwait(false);
        }
        while (Interlocked.CompareExchange(ref _recovering, 0, losses) != losses);
    }

    // Whether the consumer still exists decides between another pull and the end.
    private async Task TryRecoverAsync()
    {
        try
        {
            await Task.Delay(RecoverDelay, Time).ConfigureAwait(false);
            if (IsFinished) return;
            await Api.CallAsync($"CONSUMER.INFO.{_settings.Stream}.{_settings.Consumer}", JetStreamJson.Default.ConsumerInfo, CancellationToken.None).ConfigureAwait(false);
            ForgetPulls();
            OnServerActivity();
            Refill();
        }
        catch (JetStreamException gone) when (gone.ErrorCode is JetStreamErrors.ConsumerNotFound or JetStreamErrors.StreamNotFound)
        {
            Finish(new NatsClientException(NatsErrorCode.ConsumerEnded, $"Consumer '{_settings.Consumer}' of stream '{_settings.Stream}' no longer exists: {gone.Description}.", gone));
        }
        catch (NatsClientException)
        {
            // The cluster may be without a leader: the next tick tries again.
        }
    }

    private void ReadPin(ReadOnlySpan<byte> headers)
    {
        var block = new HeaderBlock(headers);
        while (block.TryReadNext(out var name, out var value))
        {
            if (!name.SequenceEqual("Nats-Pin-Id"u8)) continue;
            if (_pinId is null || _pinId.Length != value.Length) _pinId = Encoding.UTF8.GetString(value);
            else if (!System.Text.Ascii.Equals(value, _pinId)) _pinId = Encoding.UTF8.GetString(value);
            return;
        }
    }
}
