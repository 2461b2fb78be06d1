// Hot path: ServerConnection -> this -> MessageQueue. Allocations: none but what the payload's type and a reply subject need.
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A subscription whose messages are read as an asynchronous stream.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
/// <remarks>One reader at a time. The stream ends after the messages that were received before the subscription ended.</remarks>
#pragma warning disable CA1001 // The source of cancellation has no timer and no handle: nothing is left behind.
public sealed class NatsSubscription<T> : NatsSubscription, IAsyncEnumerable<NatsMessage<T>>
#pragma warning restore CA1001
{
    private readonly Serializer<T> _serializer;
    private readonly MessageQueue<NatsMessage<T>> _queue;
    private readonly TaskCompletionSource _handled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly int _resumeAt;
    private Connection? _paused;
    private Task? _pump;
    private CancellationTokenSource? _abandoned;
    private long _dropped;
    private bool _reportedDrops;
    private bool _hasReader;

    internal NatsSubscription(NatsSession session, string subject, SubscriptionOptions options, Serializer<T> serializer)
        : base(session, subject, options)
    {
        _serializer = serializer;
        var capacity = options.Capacity > 0 ? options.Capacity : session.Options.SubscriptionCapacity;
        _resumeAt = capacity / 2;
        _queue = new MessageQueue<NatsMessage<T>>(capacity, options.WhenFull ?? session.Options.SlowConsumerPolicy, session.Options.ContinueOnReceiveThread);
    }

    /// <inheritdoc/>
    public override long DroppedMessages => Volatile.Read(ref _dropped);

    /// <inheritdoc/>
    public override int PendingMessages => _queue.Count;

    internal override Task Handled => _pump ?? _handled.Task;

    /// <summary>Reads a message if one is available.</summary>
    /// <param name="message">The message.</param>
    /// <returns>False if no message is available.</returns>
    public bool TryRead(out NatsMessage<T> message)
    {
        if (!_queue.TryRead(out message)) return false;
        if (_paused is not null) Resume();
        return true;
    }

    /// <summary>Waits for the next message and reads it.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The message.</returns>
    /// <exception cref="NatsClientException">The subscription ended or was rejected.</exception>
    public async ValueTask<NatsMessage<T>> ReadAsync(CancellationToken ct = default)
        => await MoveNextAsync(ct).ConfigureAwait(false) && TryRead(out var message)
            ? message
            : throw new NatsClientException(NatsErrorCode.ClientClosed, $"The subscription to '{Subject}' has ended.");

    /// <summary>Reads until the subscription ends.</summary>
    /// <param name="cancellationToken">Stops reading; the subscription is not ended.</param>
    /// <returns>The messages in the order of their arrival.</returns>
    public IAsyncEnumerator<NatsMessage<T>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        _hasReader = true;
        return new Enumerator(this, cancellationToken);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        Abandon();
        return base.DisposeAsync();
    }

    /// <summary>Starts to pass messages to a handler.</summary>
    internal void ReadBy(HandlerLoop<T> pump)
    {
        _abandoned = new CancellationTokenSource();
        _pump = pump.RunAsync(_abandoned.Token);
    }

    internal override void Abandon()
    {
        _queue.Clear();
        _abandoned?.Cancel();
    }

    internal override void Signal() => _queue.Signal();

    /// <summary>Waits until a message is available.</summary>
    /// <returns>False at the end.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<bool> MoveNextAsync(CancellationToken ct)
    {
        _hasReader = true;
        while (true)
        {
            if (!_queue.IsEmpty) return true;
            if (await _queue.WaitAsync(ct).ConfigureAwait(false) || !_queue.IsEmpty) continue;
            if (!_queue.IsCompleted) continue;
            _handled.TrySetResult();
            return false;
        }
    }

    private protected override void Deliver(in Frame frame, ServerConnection connection)
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
        var replyTo = frame.ReplyTo;
        var headers = frame.HeaderBytes > 0 ? new NatsHeaders(frame.Headers) : null;
        var message = new NatsMessage<T>(
            Session, SubjectOf(frame.Subject), replyTo.IsEmpty ? null : Encoding.UTF8.GetString(replyTo), headers, data, frame.TotalBytes, error);
        var written = _queue.TryWrite(in message, out var mustSignal);
        if (mustSignal) connection.WakeAtBatchEnd(this);
        if (written != EnqueueResult.Written) NotTaken(written, connection);
    }

    private protected override void Ended(NatsClientException? error)
    {
        _queue.Complete(error);
        if (!_hasReader || _queue.IsEmpty) _handled.TrySetResult();
    }

    private void NotTaken(EnqueueResult written, ServerConnection connection)
    {
        if (written == EnqueueResult.Dropped)
        {
            Volatile.Write(ref _dropped, _dropped + 1);
            Session.Traffic.DroppedMessages++;
            if (_reportedDrops) return;
            _reportedDrops = true;
            Session.Events.Tell(new ClientEvent(ClientEventKind.SlowConsumer, Subject: Subject));
            return;
        }
        if (written != EnqueueResult.Full || _paused is not null) return;
        _paused = connection.Socket;
        connection.Socket.PauseReading();
        // The reader may have emptied the queue before it could see the pause.
        if (_queue.Count <= _resumeAt) Resume();
    }

    private void Resume()
    {
        if (_queue.Count > _resumeAt) return;
        Interlocked.Exchange(ref _paused, null)?.ResumeReading();
    }

    private sealed class Enumerator(NatsSubscription<T> subscription, CancellationToken ct) : IAsyncEnumerator<NatsMessage<T>>
    {
        private NatsMessage<T> _current;

        public NatsMessage<T> Current => _current;

        public ValueTask<bool> MoveNextAsync()
            => !ct.IsCancellationRequested && subscription.TryRead(out _current) ? new ValueTask<bool>(true) : WaitAsync();

        // Leaving the loop leaves the subscription open: its creator disposes it.
        public ValueTask DisposeAsync() => default;

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        private async ValueTask<bool> WaitAsync()
        {
            ct.ThrowIfCancellationRequested();
            return await subscription.MoveNextAsync(ct).ConfigureAwait(false) && subscription.TryRead(out _current);
        }
    }
}
