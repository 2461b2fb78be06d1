using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>A follower's consumer at the origin's server, from the request that creates it until the follower requests another one.</summary>
/// <remarks>Messages are received on any thread and are queued here in order. Thread-safe, except for members that say otherwise.</remarks>
internal sealed class SourceSubscription(RemoteSource owner, Account account, SourceRequest request)
{
    // More than any server's flow control leaves unacknowledged.
    private const int MaxWaitingBytes = 64 * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly List<(SubjectTree<Subscription> Tree, Subscription Subscription)> _subscriptions = [];
    private readonly AccountImports? _imports = account.Imports;
    private MessageBuffer _answers = new();
    private MessageBuffer _deliveries = new();
    private MessageBuffer _takenDeliveries = new();
    private bool _isEnded;
    private bool _isOverrun;

    /// <summary>The request.</summary>
    public SourceRequest Request { get; } = request;

    /// <summary>The consumer's name once the server has responded, else null. Only written by the thread that does the work.</summary>
    public string? Consumer { get; set; }

    /// <summary>The number of the last delivery. Only for the thread that does the work.</summary>
    public ulong LastDelivery { get; set; }

    /// <summary>When something was last received, as a timestamp of the clock.</summary>
    public long LastHeard { get; private set; } = owner.Now;

    /// <summary>Whether more was received than flow control allows; the excess was dropped.</summary>
    public bool IsOverrun => Volatile.Read(ref _isOverrun);

    /// <summary>Whether the account's imports, over which deliveries may arrive, have been replaced meanwhile.</summary>
    public bool IsOutdated => !ReferenceEquals(_imports, account.Imports);

    /// <summary>Whether messages are queued.</summary>
    public bool HasWaiting
    {
        get
        {
            lock (_gate) return _answers.Count > 0 || _deliveries.Count > 0;
        }
    }

    /// <summary>Subscribes to the response.</summary>
    public void AwaitAnswer(byte[] subject) => Listen(account.Subscriptions, subject, isAnswer: true);

    /// <summary>Subscribes to the deliveries, also in the accounts that export them.</summary>
    public void AwaitDeliveries(byte[] subject)
    {
        Listen(account.Subscriptions, subject, isAnswer: false);
        foreach (var import in _imports?.Streams ?? [])
            if (import.FindSubject(subject) is { } exported) Listen(import.Exporter.Subscriptions, exported, isAnswer: false);
    }

    /// <summary>Unsubscribes, and drops what is queued.</summary>
    public void End()
    {
        (SubjectTree<Subscription> Tree, Subscription Subscription)[] ended;
        lock (_gate)
        {
            _isEnded = true;
            ended = [.. _subscriptions];
            _subscriptions.Clear();
            _answers.Clear();
            _deliveries.Clear();
        }
        foreach (var (tree, subscription) in ended) subscription.Leave(tree);
    }

    /// <summary>Takes the queued responses; they stay valid. Only for the thread that does the work.</summary>
    public MessageBuffer TakeAnswers()
    {
        lock (_gate)
        {
            var taken = _answers;
            if (taken.Count > 0) _answers = new MessageBuffer();
            return taken;
        }
    }

    /// <summary>Takes the queued deliveries; valid until the next call. Only for the thread that does the work.</summary>
    public MessageBuffer TakeDeliveries()
    {
        _takenDeliveries.Clear();
        lock (_gate) (_deliveries, _takenDeliveries) = (_takenDeliveries, _deliveries);
        return _takenDeliveries;
    }

    private void Listen(SubjectTree<Subscription> tree, byte[] subject, bool isAnswer)
    {
        var subscription = new Subscription(new Receiver(this, isAnswer), subject, []);
        lock (_gate)
        {
            if (_isEnded) return;
            _subscriptions.Add((tree, subscription));
        }
        tree.Add(subject, [], subscription);
        // If it was ended meanwhile, End did not find the subscription in the tree.
        lock (_gate)
        {
            if (!_isEnded) return;
        }
        subscription.Leave(tree);
    }

    private void Receive(bool isAnswer, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        lock (_gate)
        {
            if (_isEnded) return;
            LastHeard = owner.Now;
            var inbox = isAnswer ? _answers : _deliveries;
            if (inbox.Bytes > MaxWaitingBytes) _isOverrun = true;
            else inbox.Add(subject, [], replyTo, headers, payload);
        }
        owner.Wake(batch);
    }

    private void Fail(Exception error) => owner.OnFailed(error);

    private sealed class Receiver(SourceSubscription owner, bool isAnswer) : IInternalSubscriber
    {
        public bool TakesShownSubject => true;

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => owner.Receive(isAnswer, subject, replyTo, headers, payload, batch);

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => owner.Fail(error);
    }
}
