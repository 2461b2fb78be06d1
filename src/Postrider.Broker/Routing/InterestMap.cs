using System.Buffers;
using System.Runtime.InteropServices;
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

    private readonly ArrayBufferWriter<byte> _frames = new();
    private Dictionary<byte[], Entry> _entries = new(ByteKeyComparer.Instance);
    private bool _isCollecting;

    /// <summary>How many subjects and queue groups were sent.</summary>
    public int Count => _entries.Count;

    /// <summary>Sends the interest there is.</summary>
    /// <param name="loopSubject">The subject by which a loop of leaf nodes is detected.</param>
    /// <param name="subscriptions">The account's subscriptions.</param>
    public void Begin(byte[] loopSubject, IEnumerable<Subscription> subscriptions)
    {
        _isCollecting = true;
        if (kind == PeerKind.LeafNode) Change(loopSubject, [], [], 1);
        foreach (var subscription in subscriptions)
        {
            Add(subscription, WeightOf(subscription));
            if (_frames.WrittenCount > MaxPieceBytes) Flush();
        }
        _isCollecting = false;
        Flush();
    }

    /// <summary>Counts anew what the connection is to have, and sends what changes by that. For connections without a subject that detects loops.</summary>
    /// <param name="subscriptions">The account's subscriptions.</param>
    public void Refresh(IEnumerable<Subscription> subscriptions)
    {
        var before = _entries;
        _entries = new Dictionary<byte[], Entry>(ByteKeyComparer.Instance);
        foreach (var subscription in subscriptions)
            if (Concerns(subscription)) EntryOf(subscription.SubjectBytes, subscription.QueueGroup, OriginOf(subscription), out _).Count += WeightOf(subscription);
        foreach (var (key, entry) in before)
            if (!_entries.ContainsKey(key)) WriteEnd(in entry);
        foreach (var (key, entry) in _entries)
            if (!before.TryGetValue(key, out var known) || (known.Count != entry.Count && entry.QueueGroup.Length > 0)) WriteBegin(in entry);
        Flush();
    }

    /// <summary>Sends once more what was sent.</summary>
    /// <param name="filter">Says of which subjects.</param>
    public void SendAgain(Func<byte[], bool> filter)
    {
        foreach (var entry in _entries.Values)
            if (filter(entry.Subject)) WriteBegin(in entry);
        Flush();
    }

    /// <summary>Counts a subscription's members in or out, and sends what changes by that.</summary>
    /// <param name="subscription">A subscription of the account.</param>
    /// <param name="delta">Members that came, negative for those that went.</param>
    public void Add(Subscription subscription, int delta)
    {
        if (Concerns(subscription)) Change(subscription.SubjectBytes, subscription.QueueGroup, OriginOf(subscription), delta);
    }

    /// <summary>How many members of its queue group a subscription represents.</summary>
    public static int WeightOf(Subscription subscription) => subscription is PeerSubscription { QueueGroup.Length: > 0 } peer ? peer.Weight : 1;

    /// <summary>Whether the other server is told of a subscription.</summary>
    protected abstract bool Concerns(Subscription subscription);

    /// <summary>The cluster of leaf nodes that the other server is told a subscription to come from; nothing for most.</summary>
    protected virtual byte[] OriginOf(Subscription subscription) => [];

    /// <summary>Sends frames.</summary>
    protected abstract void Send(ReadOnlySpan<byte> frames);

    // Names contain no spaces.
    private static byte[] KeyOf(byte[] subject, byte[] queueGroup, byte[] origin)
        => origin.Length > 0 ? [.. subject, (byte)' ', .. queueGroup, (byte)' ', .. origin] : queueGroup.Length > 0 ? [.. subject, (byte)' ', .. queueGroup] : subject;

    private ref Entry EntryOf(byte[] subject, byte[] queueGroup, byte[] origin, out byte[] key)
    {
        key = KeyOf(subject, queueGroup, origin);
        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_entries, key, out var isKnown);
        if (!isKnown) entry = new Entry { Subject = subject, QueueGroup = queueGroup, Origin = origin };
        return ref entry;
    }

    private void Change(byte[] subject, byte[] queueGroup, byte[] origin, int delta)
    {
        // It was not announced when it was added: it was not allowed then.
        if (delta < 0 && !_entries.ContainsKey(KeyOf(subject, queueGroup, origin))) return;
        ref var entry = ref EntryOf(subject, queueGroup, origin, out var key);
        var before = entry.Count;
        entry.Count += delta;
        if (entry.Count <= 0)
        {
            WriteEnd(in entry);
            _entries.Remove(key);
        }
        else if (before == 0 || queueGroup.Length > 0)
        {
            WriteBegin(in entry);
        }
        if (!_isCollecting) Flush();
    }

    private void WriteBegin(in Entry entry) => PeerFrameWriter.WriteSubscribe(_frames, kind, account, entry.Subject, entry.QueueGroup, entry.Count, entry.Origin);

    private void WriteEnd(in Entry entry) => PeerFrameWriter.WriteUnsubscribe(_frames, kind, account, entry.Subject, entry.QueueGroup, entry.Origin);

    private void Flush()
    {
        if (_frames.WrittenCount > 0) Send(_frames.WrittenSpan);
        _frames.ResetWrittenCount();
    }

    private struct Entry
    {
        public byte[] Subject;
        public byte[] QueueGroup;
        public byte[] Origin;
        public int Count;
    }
}
