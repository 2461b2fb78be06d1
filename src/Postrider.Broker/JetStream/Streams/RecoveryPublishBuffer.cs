using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Holds messages published on a stream's subjects, and requests to it, while it is being recovered: they are stored and
/// answered afterwards, in the order of their arrival.</summary>
/// <remarks>Thread-safe. Messages that do not fit are rejected at once, so that no message with a reply subject is lost silently.</remarks>
internal sealed class RecoveryPublishBuffer : IInternalSubscriber
{
    // Per stream. Enough for a burst; a publisher that waits for acknowledgements has far fewer messages in flight.
    private const int MaxMessages = 65_536;
    private const int MaxBytes = 32 * 1024 * 1024;

    private readonly JetStreamAccount _account;
    private readonly List<Subscription> _subscriptions = [];

    // Guards the fields below; nothing is called while it is held.
    private readonly Lock _gate = new();
    private List<OwnedMessage> _held = [];
    private long _bytes;
    private long _dropped;
    private IInternalSubscriber? _target;
    private bool _isReleased;

    public RecoveryPublishBuffer(JetStreamAccount account, IReadOnlyList<string> subjects)
    {
        _account = account;
        foreach (var subject in subjects)
        {
            var bytes = Encoding.UTF8.GetBytes(subject);
            var subscription = new Subscription(this, bytes, []);
            if (account.Account.Subscriptions.Add(bytes, [], subscription)) _subscriptions.Add(subscription);
        }
    }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        lock (_gate)
        {
            if (!_isReleased)
            {
                var bytes = subject.Length + replyTo.Length + headers.Length + payload.Length;
                if (_held.Count < MaxMessages && _bytes + bytes <= MaxBytes)
                {
                    _bytes += bytes;
                    _held.Add(new OwnedMessage(publisher, subject, replyTo, headers, payload));
                    return;
                }
                _dropped++;
            }
        }
        if (_isReleased) _target?.Handle(publisher, subject, replyTo, headers, payload, batch);
        if (_target is null && !replyTo.IsEmpty) InternalPublisher.Publish(_account.Account.Subscriptions, replyTo, Refusal(), batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(_account.Engine.Logger, Encoding.UTF8.GetString(subject), error);

    /// <summary>Passes the held messages, and from then on all messages, to the stream; without a stream they are rejected.</summary>
    /// <param name="target">The stream's publish handler, or null.</param>
    /// <param name="batches">The broker's batches.</param>
    /// <returns>The subscriptions, which belong to the stream from now on; for the first call only.</returns>
    public List<Subscription> Release(IInternalSubscriber? target, SendBatchSet batches)
    {
        while (TryTake(target, out var held))
        {
            batches.Run((this, target, held), static (it, batch) =>
            {
                foreach (var one in it.held)
                {
                    if (it.target is not null) one.Pass(it.target, batch);
                    else if (one.ReplyTo.Length > 0) InternalPublisher.Publish(it.Item1._account.Account.Subscriptions, one.ReplyTo, Refusal(), batch);
                }
            });
        }
        if (target is not null)
        {
            foreach (var subscription in _subscriptions) subscription.Replace(target);
            return _subscriptions;
        }
        foreach (var subscription in _subscriptions.Where(subscription => ReferenceEquals(subscription.Handler, this)))
        {
            subscription.AddConditions(DeliveryConditions.Closed);
            _account.Account.Subscriptions.Remove(subscription.SubjectBytes, [], subscription);
        }
        return [];
    }

    /// <summary>The number of dropped messages: those without a reply subject, and those that were rejected.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    private static byte[] Refusal()
        => JsonSerializer.SerializeToUtf8Bytes(new PubAckReply { Error = ApiErrors.ClusterNotAvail, Stream = "" }, StreamJson.Default.PubAckReply);

    private bool TryTake(IInternalSubscriber? target, out List<OwnedMessage> held)
    {
        lock (_gate)
        {
            held = _held;
            _held = [];
            _bytes = 0;
            if (held.Count > 0) return true;
            _target ??= target;
            _isReleased = true;
            return false;
        }
    }
}
