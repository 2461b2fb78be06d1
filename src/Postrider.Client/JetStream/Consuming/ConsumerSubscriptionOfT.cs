// Hot path: ServerConnection -> this -> MessageQueue. Allocations: none but what the payload's type and headers need.
using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Receives what a consumer delivers: messages into a queue, statuses are passed to the derived subscription.</summary>
/// <remarks>One reader at a time. The queue is bounded by what was requested, so it drops nothing.</remarks>
internal abstract class ConsumerSubscription<T> : ConsumerSubscription
{
    // A reader that leaves its loop does not wait longer than this for a silent server.
    private static readonly TimeSpan NakUnreadTimeout = TimeSpan.FromSeconds(2);

    private readonly Serializer<T> _serializer;
    private readonly MessageQueue<JetStreamMessage<T>> _queue;
    private readonly bool _isOrdered;
    private AckPrefix? _known;
    private ulong _received;
    private long _lastActivity;

    protected ConsumerSubscription(ApiClient api, string subject, string? queueGroup, Serializer<T> serializer, bool isOrdered)
        : base(api, subject, new SubscriptionOptions { QueueGroup = queueGroup })
    {
        _serializer = serializer;
        _isOrdered = isOrdered;
        _queue = new MessageQueue<JetStreamMessage<T>>(int.MaxValue, SlowConsumerPolicy.Wait, api.Session.Options.ContinueOnReceiveThread);
        Time = api.Session.Options.TimeProvider;
        _lastActivity = Time.GetTimestamp();
    }

    public override long DroppedMessages => 0;

    public override int PendingMessages => _queue.Count;

    internal override Task Handled => Task.CompletedTask;

    protected TimeProvider Time { get; }

    protected bool IsOrdered => _isOrdered;

    protected bool IsFinished => _queue.IsCompleted || IsEnded;

    /// <summary>The number of deliveries so far; for an ordered subscription, the last one's number.</summary>
    public ulong Received => Volatile.Read(ref _received);

    /// <summary>How long nothing has been received.</summary>
    protected TimeSpan Silence => Time.GetElapsedTime(Volatile.Read(ref _lastActivity));

    /// <summary>Starts to receive messages.</summary>
    public virtual void Start()
    {
        Session.Subscribe(this);
        Session.Events.Occurred += OnEvent;
    }

    /// <summary>Reads a message if one is available.</summary>
    public bool TryRead(out JetStreamMessage<T> message)
    {
        if (!_queue.TryRead(out message)) return false;
        OnRead(message.SizeBytes);
        return true;
    }

    /// <summary>Waits until a message is available.</summary>
    /// <returns>False at the end; throws the error that ended the subscription.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> MoveNextAsync(CancellationToken ct)
    {
        while (_queue.IsEmpty)
        {
            if (!await _queue.WaitAsync(ct).ConfigureAwait(false) && _queue.IsEmpty && _queue.IsCompleted) return false;
        }
        return true;
    }

    /// <summary>Ends, and naks unread messages, so that they are redelivered at once and not after the ack wait.</summary>
    public async ValueTask NakUnreadAsync()
    {
        using var limit = new CancellationTokenSource(NakUnreadTimeout, Time);
        try
        {
            // Messages that the server had sent before it received the unsubscribe are nak'ed too.
            if (!IsFinished) await DrainAsync(limit.Token).ConfigureAwait(false);
            while (TryRead(out var unread)) await unread.NakAsync().ConfigureAwait(false);
        }
        catch (Exception error) when (error is NatsClientException or OperationCanceledException)
        {
            // The server does not respond or the client is closed: the messages are redelivered after their ack wait.
        }
    }

    public override ValueTask DisposeAsync()
    {
        Session.Events.Occurred -= OnEvent;
        return base.DisposeAsync();
    }

    internal override void Signal() => _queue.Signal();

    internal override void Abandon() => _queue.Clear();

    /// <summary>Ends the subscription: the reader gets the remaining messages, then the end or the error.</summary>
    protected void Finish(Exception? error = null) => _queue.Complete(error);

    /// <summary>Ends an ordered subscription so that its reader starts another one after the last message.</summary>
    protected void Restart(string reason) => Finish(new SequenceGapException(reason));

    /// <summary>Restarts the measurement of silence.</summary>
    protected void OnServerActivity() => Volatile.Write(ref _lastActivity, Time.GetTimestamp());

    /// <summary>Called for every message that arrived, before the reader can take it. On the receiving thread.</summary>
    /// <returns>Whether it is the last one.</returns>
    protected abstract bool OnMessage(in Frame frame);

    /// <summary>Called for every status. On the receiving thread.</summary>
    protected abstract void OnStatus(int status, in Frame frame);

    /// <summary>Called for every message that the reader has read.</summary>
    protected abstract void OnRead(int sizeBytes);

    /// <summary>Called when the client has reconnected.</summary>
    protected abstract void OnReconnected();

    private protected override void Deliver(in Frame frame, ServerConnection connection)
    {
        OnServerActivity();
        if (frame.HeaderBytes > 0 && frame.HeaderBytes == frame.TotalBytes && HeaderBlock.ReadStatus(frame.Headers) is var status and not 0)
        {
            OnStatus(status, in frame);
            return;
        }
        var delivery = AckReplySubject.Read(frame.ReplyTo, ref _known);
        Volatile.Write(ref _received, _received + 1);
        if (_isOrdered && delivery.ConsumerSequence != _received)
        {
            Restart($"Received delivery {delivery.ConsumerSequence} where {_received} was expected.");
            return;
        }
        var isLast = OnMessage(in frame);
        var message = new JetStreamMessage<T>(Read(in frame), in delivery, this);
        _queue.TryWrite(in message, out var mustSignal);
        if (mustSignal) connection.WakeAtBatchEnd(this);
        if (isLast) Finish();
    }

    private protected override void Ended(NatsClientException? error) => Finish(error);

    private NatsMessage<T> Read(in Frame frame)
    {
        T data = default!;
        Exception? error = null;
        try
        {
            data = _serializer.Read(frame.Payload);
        }
        catch (Exception unreadable)
        {
            error = unreadable;
        }
        var headers = frame.HeaderBytes > 0 ? new NatsHeaders(frame.Headers) : null;
        return new NatsMessage<T>(Session, SubjectOf(frame.Subject), null, headers, data, frame.TotalBytes, error);
    }

    private void OnEvent(ClientEvent told)
    {
        if (told.Kind != ClientEventKind.Reconnected) return;
        OnServerActivity();
        OnReconnected();
    }
}
