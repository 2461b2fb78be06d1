using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Holds direct gets and pull requests that arrive before their stream was recovered, until all streams are.</summary>
/// <remarks>Thread-safe: its state changes before clients are accepted, and when the recovery ends.</remarks>
internal sealed class RecoveryGate(JetStreamAccount account) : IInternalSubscriber
{
    private const string Api = "$JS.API.";

    private readonly List<Subscription> _subscriptions = [];

    /// <summary>Subscribes.</summary>
    public void Begin()
    {
        Listen($"{Api}DIRECT.GET.>");
        Listen($"{Api}CONSUMER.MSG.NEXT.>");
    }

    /// <summary>Unsubscribes. Called before the held requests are handled.</summary>
    public void End()
    {
        foreach (var subscription in _subscriptions)
        {
            subscription.AddConditions(DeliveryConditions.Closed);
            account.Account.Subscriptions.Remove(subscription.SubjectBytes, [], subscription);
        }
        _subscriptions.Clear();
    }

    /// <inheritdoc/>
    public bool ServesClients => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        // The stream's name follows the operation; a stream that has been recovered responds itself.
        var name = Encoding.UTF8.GetString(StreamIn(subject));
        var recovery = account.Engine.Recovery;
        if (!recovery.IsDone && account.TryGetStream(name, out _)) return;
        if (recovery.TryHold(this, publisher, subject, replyTo, headers, payload)) return;
        var tree = account.Account.Subscriptions;
        if (!InternalPublisher.Publish(tree, subject, subject, replyTo, headers, payload, batch, publisher)) InternalPublisher.ReplyNoResponders(tree, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(account.Engine.Logger, Encoding.UTF8.GetString(subject), error);

    private static ReadOnlySpan<byte> StreamIn(ReadOnlySpan<byte> subject)
    {
        var rest = subject[Api.Length..];
        rest = rest[(rest.StartsWith("DIRECT.GET."u8) ? "DIRECT.GET.".Length : "CONSUMER.MSG.NEXT.".Length)..];
        var end = rest.IndexOf((byte)'.');
        return end < 0 ? rest : rest[..end];
    }

    private void Listen(string subject)
    {
        var bytes = Encoding.UTF8.GetBytes(subject);
        var subscription = new Subscription(this, bytes, []);
        if (account.Account.Subscriptions.Add(bytes, [], subscription)) _subscriptions.Add(subscription);
    }
}
