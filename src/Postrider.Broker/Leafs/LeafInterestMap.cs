using System.Buffers;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>The interest of one account that was sent over one connection, each subject and queue group once with the number of its subscriptions.</summary>
/// <remarks>Not thread-safe: guarded by the lock of the account's subscriptions. Source: nats-server, the leaf's smap.</remarks>
internal sealed class LeafInterestMap(LeafSession session)
{
    private readonly Dictionary<byte[], int> _counts = new(ByteKeyComparer.Instance);
    private readonly ArrayBufferWriter<byte> _frames = new();
    private bool _isCollecting;

    /// <summary>How many subjects and queue groups were sent.</summary>
    public int Count => _counts.Count;

    /// <summary>The connection.</summary>
    public LeafSession Session => session;

    /// <summary>Sends the interest there is, in one piece.</summary>
    /// <param name="loopSubject">The subject by which a loop is detected.</param>
    /// <param name="subscriptions">The account's subscriptions.</param>
    public void Begin(byte[] loopSubject, IEnumerable<Subscription> subscriptions)
    {
        _isCollecting = true;
        Change(loopSubject, [], 1);
        foreach (var subscription in subscriptions) Add(subscription, WeightOf(subscription));
        _isCollecting = false;
        Send();
    }

    /// <summary>Counts a subscription's members in or out, and sends what changes by that.</summary>
    /// <param name="subscription">A subscription of the account.</param>
    /// <param name="delta">Members that came, negative for those that went.</param>
    public void Add(Subscription subscription, int delta)
    {
        if (Concerns(subscription)) Change(subscription.SubjectBytes, subscription.QueueGroup, delta);
    }

    /// <summary>How many members of its queue group a subscription represents.</summary>
    public static int WeightOf(Subscription subscription) => subscription is LeafSubscription { QueueGroup.Length: > 0 } leaf ? leaf.Weight : 1;

    // To a leaf node: the subscriptions of clients and of other leaf nodes. To a hub: those of clients, and of leaf nodes whose hub this broker is.
    private bool Concerns(Subscription subscription)
    {
        var subject = subscription.SubjectBytes;
        if (subscription is LeafSubscription { Link: var source })
        {
            if (!LeafLink.MayForward(source, session)) return false;
            if (LeafInterest.IsLoopSubject(subject)) return true;
            if (session.IsIsolated || (session.IsSpoke && source.IsSpoke)) return false;
        }
        else if (subscription.Handler is not null && !session.Account.IsSystem && subject.AsSpan().StartsWith("$SYS."u8))
        {
            // Each server answers for itself.
            return false;
        }
        return session.MayReceiveInterest(subject);
    }

    private void Change(byte[] subject, byte[] queueGroup, int delta)
    {
        var key = queueGroup.Length == 0 ? subject : [.. subject, (byte)' ', .. queueGroup];
        var before = _counts.GetValueOrDefault(key);
        var after = before + delta;
        // It was not announced when it was added: it was not allowed then.
        if (before == 0 && delta < 0) return;
        if (after > 0) _counts[key] = after;
        else _counts.Remove(key);
        if (after > 0 && (before == 0 || queueGroup.Length > 0)) LeafFrameWriter.WriteSubscribe(_frames, subject, queueGroup, after);
        else if (after <= 0) LeafFrameWriter.WriteUnsubscribe(_frames, subject, queueGroup);
        if (!_isCollecting) Send();
    }

    private void Send()
    {
        if (_frames.WrittenCount > 0) session.Send(_frames.WrittenSpan);
        _frames.ResetWrittenCount();
    }
}
