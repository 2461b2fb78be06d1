using System.Buffers;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>The interest of one account that was sent over one connection, each subject and queue group once with the number of its subscriptions.</summary>
/// <remarks>Not thread-safe: guarded by the lock of the account's subscriptions. Source: nats-server, a leaf's smap and an account's rm.</remarks>
/// <param name="kind">The kind of the connection.</param>
/// <param name="account">The account's name where frames contain it, or nothing.</param>
internal abstract class InterestMap(PeerKind kind, byte[] account)
{
    // A connection that begins with very many subscriptions sends them in pieces of this size.
    private const int MaxPieceBytes = 256 * 1024;

    private readonly Dictionary<byte[], int> _counts = new(ByteKeyComparer.Instance);
    private readonly ArrayBufferWriter<byte> _frames = new();
    private bool _isCollecting;

    /// <summary>How many subjects and queue groups were sent.</summary>
    public int Count => _counts.Count;

    /// <summary>Sends the interest there is.</summary>
    /// <param name="loopSubject">The subject by which a loop of leaf nodes is detected.</param>
    /// <param name="subscriptions">The account's subscriptions.</param>
    public void Begin(byte[] loopSubject, IEnumerable<Subscription> subscriptions)
    {
        _isCollecting = true;
        if (kind == PeerKind.LeafNode) Change(loopSubject, [], 1);
        foreach (var subscription in subscriptions)
        {
            Add(subscription, WeightOf(subscription));
            if (_frames.WrittenCount > MaxPieceBytes) Flush();
        }
        _isCollecting = false;
        Flush();
    }

    /// <summary>Counts a subscription's members in or out, and sends what changes by that.</summary>
    /// <param name="subscription">A subscription of the account.</param>
    /// <param name="delta">Members that came, negative for those that went.</param>
    public void Add(Subscription subscription, int delta)
    {
        if (Concerns(subscription)) Change(subscription.SubjectBytes, subscription.QueueGroup, delta);
    }

    /// <summary>How many members of its queue group a subscription represents.</summary>
    public static int WeightOf(Subscription subscription) => subscription is PeerSubscription { QueueGroup.Length: > 0 } peer ? peer.Weight : 1;

    /// <summary>Whether the other server is told of a subscription.</summary>
    protected abstract bool Concerns(Subscription subscription);

    /// <summary>Sends frames.</summary>
    protected abstract void Send(ReadOnlySpan<byte> frames);

    private void Change(byte[] subject, byte[] queueGroup, int delta)
    {
        var key = queueGroup.Length == 0 ? subject : [.. subject, (byte)' ', .. queueGroup];
        var before = _counts.GetValueOrDefault(key);
        var after = before + delta;
        // It was not announced when it was added: it was not allowed then.
        if (before == 0 && delta < 0) return;
        if (after > 0) _counts[key] = after;
        else _counts.Remove(key);
        if (after > 0 && (before == 0 || queueGroup.Length > 0)) PeerFrameWriter.WriteSubscribe(_frames, kind, account, subject, queueGroup, after);
        else if (after <= 0) PeerFrameWriter.WriteUnsubscribe(_frames, kind, account, subject, queueGroup);
        if (!_isCollecting) Flush();
    }

    private void Flush()
    {
        if (_frames.WrittenCount > 0) Send(_frames.WrittenSpan);
        _frames.ResetWrittenCount();
    }
}
