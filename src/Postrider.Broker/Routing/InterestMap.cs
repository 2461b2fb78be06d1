using System.Buffers;
using System.Runtime.InteropServices;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>The interest of one account sent over one connection: each subject and queue group once, with its number of subscriptions.</summary>
/// <remarks>Not thread-safe: guarded by the lock of the account's subscriptions. Source: nats-server, protocols of leaf nodes and routes.</remarks>
/// <param name="kind">The kind of the connection.</param>
/// <param name="account">The account's name if frames contain it, or empty.</param>
internal abstract class InterestMap(PeerKind kind, byte[] account)
{
    // A connection that starts with very many subscriptions sends them in pieces of this size.
    private const int MaxPieceBytes = 256 * 1024;

    private readonly ArrayBufferWriter<byte> _frames = new();

    // The number of subscriptions by subject, queue group and cluster in one key: a hub has an entry for each subject of each leaf node in the map of
    // each other one. The key of a subject alone is the subscription's own array.
    private Dictionary<byte[], int> _entries = new(ByteKeyComparer.Instance);
    private bool _isCollecting;

    /// <summary>The number of subjects and queue groups that were sent.</summary>
    public int Count => _entries.Count;

    /// <summary>Sends the current interest.</summary>
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

    /// <summary>Recounts the interest of the connection, and sends the differences. For connections without a subject for loop detection.</summary>
    /// <param name="subscriptions">The account's subscriptions.</param>
    public void Refresh(IEnumerable<Subscription> subscriptions)
    {
        var before = _entries;
        _entries = new Dictionary<byte[], int>(ByteKeyComparer.Instance);
        foreach (var subscription in subscriptions)
            if (Concerns(subscription)) CollectionsMarshal.GetValueRefOrAddDefault(_entries, KeyOf(subscription.SubjectBytes, subscription.QueueGroup, OriginOf(subscription)), out _) += WeightOf(subscription);
        foreach (var key in before.Keys)
            if (!_entries.ContainsKey(key)) WriteEnd(new(key));
        foreach (var (key, count) in _entries)
            if (!before.TryGetValue(key, out var known) || (known != count && !new InterestKey(key).QueueGroup.IsEmpty)) WriteBegin(new(key), count);
        Flush();
    }

    /// <summary>Sends the interest again.</summary>
    /// <param name="filter">Selects the subjects.</param>
    public void SendAgain(InterestFilter filter)
    {
        foreach (var (key, count) in _entries)
            if (filter(new InterestKey(key).Subject)) WriteBegin(new(key), count);
        Flush();
    }

    /// <summary>Adds or removes a subscription's members, and sends the change.</summary>
    /// <param name="subscription">A subscription of the account.</param>
    /// <param name="delta">The number of members added, negative for removed ones.</param>
    public void Add(Subscription subscription, int delta)
    {
        if (Concerns(subscription)) Change(subscription.SubjectBytes, subscription.QueueGroup, OriginOf(subscription), delta);
    }

    /// <summary>The number of members of its queue group that a subscription represents.</summary>
    public static int WeightOf(Subscription subscription) => subscription is PeerSubscription { QueueGroup.Length: > 0 } peer ? peer.Weight : 1;

    /// <summary>Whether a subscription is announced to the other server.</summary>
    protected abstract bool Concerns(Subscription subscription);

    /// <summary>The cluster of leaf nodes from which a subscription is announced to come; empty for most.</summary>
    protected virtual byte[] OriginOf(Subscription subscription) => [];

    /// <summary>Sends frames.</summary>
    protected abstract void Send(ReadOnlySpan<byte> frames);

    // Names contain no spaces.
    private static byte[] KeyOf(byte[] subject, byte[] queueGroup, byte[] origin)
        => origin.Length > 0 ? [.. subject, (byte)' ', .. queueGroup, (byte)' ', .. origin] : queueGroup.Length > 0 ? [.. subject, (byte)' ', .. queueGroup] : subject;

    private void Change(byte[] subject, byte[] queueGroup, byte[] origin, int delta)
    {
        var key = KeyOf(subject, queueGroup, origin);
        // It was not announced when it was added, because it was not allowed then.
        if (delta < 0 && !_entries.ContainsKey(key)) return;
        ref var count = ref CollectionsMarshal.GetValueRefOrAddDefault(_entries, key, out var isKnown);
        count += delta;
        if (count <= 0)
        {
            WriteEnd(new(key));
            _entries.Remove(key);
        }
        else if (!isKnown || queueGroup.Length > 0)
        {
            WriteBegin(new(key), count);
        }
        if (!_isCollecting) Flush();
    }

    private void WriteBegin(InterestKey key, int count) => PeerFrameWriter.WriteSubscribe(_frames, kind, account, key.Subject, key.QueueGroup, count, key.Origin);

    private void WriteEnd(InterestKey key) => PeerFrameWriter.WriteUnsubscribe(_frames, kind, account, key.Subject, key.QueueGroup, key.Origin);

    private void Flush()
    {
        if (_frames.WrittenCount > 0) Send(_frames.WrittenSpan);
        _frames.ResetWrittenCount();
    }

    // The parts of a key.
    private readonly ref struct InterestKey
    {
        public InterestKey(ReadOnlySpan<byte> key)
        {
            Subject = TakeName(ref key);
            QueueGroup = TakeName(ref key);
            Origin = key;
        }

        public ReadOnlySpan<byte> Subject { get; }

        public ReadOnlySpan<byte> QueueGroup { get; }

        public ReadOnlySpan<byte> Origin { get; }

        private static ReadOnlySpan<byte> TakeName(scoped ref ReadOnlySpan<byte> rest)
        {
            var end = rest.IndexOf((byte)' ');
            var name = end < 0 ? rest : rest[..end];
            rest = end < 0 ? [] : rest[(end + 1)..];
            return name;
        }
    }
}

/// <summary>Selects interest by its subject.</summary>
internal delegate bool InterestFilter(ReadOnlySpan<byte> subject);
