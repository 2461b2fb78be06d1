// Hot path: Router -> this -> Consumer.Acknowledge, per acknowledgement. Allocations: none.
using System.Collections.Concurrent;
using System.Text;
using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Routes acknowledgements and flow control responses to an account's consumers.</summary>
/// <remarks>One subscription for all acknowledgements: their subjects never repeat, and matching a short pattern and looking up
/// the name costs less than walking nine tokens. Thread-safe.</remarks>
internal sealed class AckRouter : IInternalSubscriber
{
    private static readonly byte[] AckPattern = "$JS.ACK.>"u8.ToArray();
    private static readonly byte[] FlowPattern = "$JS.FC.>"u8.ToArray();

    private readonly JetStreamAccount _account;
    private readonly SubjectTree<Subscription> _tree;
    private readonly Subscription[] _subscriptions;
    private readonly byte[] _scope;
    private readonly ConcurrentDictionary<byte[], Consumer> _consumers = new(ByteKeyComparer.Instance);
    private readonly ConcurrentDictionary<byte[], Consumer>.AlternateLookup<ReadOnlySpan<byte>> _byOwner;

    // The consumer of the newest acknowledgement: the next one is probably for it too, and then only its numbers are read.
    private Consumer? _latest;

    public AckRouter(JetStreamAccount account)
    {
        _account = account;
        _tree = account.Account.Subscriptions;
        var domain = account.Services.Options.Domain is { Length: > 0 } named ? named : "_";
        _scope = Encoding.UTF8.GetBytes($"{domain}.{ShortHash.Of(account.Account.Name)}");
        _byOwner = _consumers.GetAlternateLookup<ReadOnlySpan<byte>>();
        _subscriptions = [new Subscription(this, AckPattern, []), new Subscription(this, FlowPattern, [])];
        foreach (var subscription in _subscriptions) _tree.Add(subscription.SubjectBytes, [], subscription);
        InterestMonitor = new PushInterestMonitor(_tree);
    }

    /// <summary>Notifies push consumers of changes of interest.</summary>
    public PushInterestMonitor InterestMonitor { get; }

    /// <summary>Removes the subscriptions.</summary>
    public void Close()
    {
        foreach (var subscription in _subscriptions) subscription.Leave(_tree);
        if (ReferenceEquals(_tree.Observer, InterestMonitor)) _tree.Observer = null;
    }

    /// <summary>Adds a consumer.</summary>
    public void Add(Consumer consumer)
    {
        _consumers[KeyOf(consumer)] = consumer;
        _latest = null;
        if (consumer.Push is not null) InterestMonitor.Add(consumer);
    }

    /// <summary>Removes a consumer.</summary>
    public void Remove(Consumer consumer)
    {
        _consumers.TryRemove(new KeyValuePair<byte[], Consumer>(KeyOf(consumer), consumer));
        _latest = null;
        if (consumer.Push is not null) InterestMonitor.Remove(consumer);
    }

    /// <inheritdoc/>
    public bool ServesClients => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        if (_latest is { IsClosed: false } latest && subject.StartsWith(latest.AckPrefix)
            && AckReplySubject.TryParseNumbers(subject[latest.AckPrefix.Length..], out var direct))
        {
            latest.Acknowledge(in direct, payload, replyTo, batch);
        }
        else
        {
            HandleAny(publisher, subject, replyTo, headers, payload, batch);
        }
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(_account.Engine.Logger, Encoding.UTF8.GetString(subject), error);

    private void HandleAny(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        if (subject.StartsWith("$JS.ACK."u8))
        {
            // Consumers of other domains and accounts may have the same names.
            if (AckReplySubject.TryParse(subject, out var scope, out var owner, out var ack) && (scope.IsEmpty || scope.SequenceEqual(_scope))
                && _byOwner.TryGetValue(owner, out var consumer) && consumer.Config.AckPolicy is AckPolicy.Explicit or AckPolicy.All)
            {
                _latest = consumer;
                consumer.Acknowledge(in ack, payload, replyTo, batch);
                return;
            }
        }
        else if (_byOwner.TryGetValue(OwnerInFlow(subject), out var consumer) && consumer.Config.FlowControl)
        {
            consumer.OnFlowControlReply(subject, headers, batch);
            return;
        }
        // Its consumer may not have been recovered yet.
        if (_account.Engine.Recovery.TryHold(this, null, subject, replyTo, headers, payload)) return;
        // The consumer does not exist: a requester gets no responders, unless another server has the consumer.
        if (publisher is PeerLink || _tree.Match(subject) is not { Plain.Count: <= 1, Groups.Length: 0 }) return;
        InternalPublisher.ReplyNoResponders(_tree, subject, replyTo, batch);
    }

    private static byte[] KeyOf(Consumer consumer) => Encoding.UTF8.GetBytes($"{consumer.Stream.Name}.{consumer.Name}");

    // $JS.FC.stream.consumer.id
    private static ReadOnlySpan<byte> OwnerInFlow(ReadOnlySpan<byte> subject)
    {
        var rest = subject["$JS.FC."u8.Length..];
        var end = rest.LastIndexOf((byte)'.');
        return end < 0 ? rest : rest[..end];
    }
}
