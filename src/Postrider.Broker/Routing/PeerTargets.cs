using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>The connections to other servers that one message is sent to, each once, with the queue groups that receive it there.</summary>
/// <remarks>Used by one thread during one publish. A nested publish uses another instance.</remarks>
internal sealed class PeerTargets
{
    // The limit for a thread's spare instance.
    private const int MaxKept = 1024;

    [ThreadStatic]
    private static PeerTargets? _spare;

    private readonly List<Target> _targets = [];
    private int _count;
    private byte[] _origin = [];

    private PeerTargets()
    {
    }

    /// <summary>Adds the server of a subscription without a queue group.</summary>
    /// <param name="targets">The message's targets; created by the first call.</param>
    /// <param name="subscription">Another server's, with the condition <see cref="DeliveryConditions.Peer"/>.</param>
    /// <param name="source">The connection that received the message; null for a client or the broker.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Add(ref PeerTargets? targets, Subscription subscription, PeerLink? source = null)
    {
        var peer = (PeerSubscription)subscription;
        if ((peer.Conditions & DeliveryConditions.Closed) != 0 || !PeerLink.MayForward(source, peer)) return;
        (targets ??= Rent(source)).Find(peer);
    }

    /// <summary>Draws whether a queue group's message is sent to a server of the cluster: every member has the same chance, wherever it is.</summary>
    /// <param name="targets">The message's targets; created by the first call.</param>
    /// <param name="group">The group, with members here and elsewhere.</param>
    /// <param name="random">The source of random numbers.</param>
    /// <param name="source">The connection that received the message; null for a client or the broker.</param>
    /// <returns>False when a member on this server, or of a leaf node, receives it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryAddRoute(ref PeerTargets? targets, in MatchedGroup<Subscription> group, Random random, PeerLink? source = null)
    {
        PeerSubscription? chosen = null;
        long sum = 0;
        foreach (var item in group.Span)
        {
            if ((item.Conditions & DeliveryConditions.Closed) != 0) continue;
            var route = item as PeerSubscription;
            if (route is not null && (!IsInCluster(route) || !PeerLink.MayForward(source, route))) continue;
            var weight = route?.Weight ?? 1;
            sum += weight;
            if (random.NextInt64(sum) < weight) chosen = route;
        }
        if (chosen is null) return false;
        (targets ??= Rent(source)).Find(chosen).AddGroup(group.QueueGroup);
        return true;
    }

    /// <summary>Adds a server for a queue group of which no member on this server accepts the message.</summary>
    /// <param name="targets">The message's targets; created by the first call.</param>
    /// <param name="items">The members, including those of clients.</param>
    /// <param name="queueGroup">The group's name.</param>
    /// <param name="random">Draws one of several servers, with the weights of their members.</param>
    /// <param name="source">The connection that received the message; null for a client or the broker.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void AddGroup(ref PeerTargets? targets, ReadOnlySpan<Subscription> items, byte[] queueGroup, Random random, PeerLink? source = null)
    {
        // A message that another server sent for a member that is gone is forwarded: that server has been informed by now.
        var chosen = source is { IsRoute: true }
            ? Draw(items, random, source, inCluster: false) ?? Draw(items, random, null, inCluster: true)
            : Draw(items, random, source, inCluster: true) ?? Draw(items, random, source, inCluster: false);
        if (chosen is not null) (targets ??= Rent(source)).Find(chosen).AddGroup(queueGroup);
    }

    /// <summary>Sends the message, and returns the targets to the thread.</summary>
    /// <param name="subject">The subject that it was published to.</param>
    /// <param name="shownSubject">The subject that subscribers see; the same for most.</param>
    /// <param name="replyTo">The reply subject, or empty.</param>
    /// <param name="headers">The header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether there was any target.</returns>
    public bool Send(
        ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        var sent = false;
        // As between nats-servers, another subject to show is appended to the acknowledgement's subject.
        if (!replyTo.IsEmpty && !shownSubject.SequenceEqual(subject) && !LeafReply.HasShownSubject(replyTo)) replyTo = LeafReply.Join(replyTo, shownSubject);
        batch.Count(_count);
        for (var i = 0; i < _count; i++)
        {
            var target = _targets[i];
            var link = target.Subscription!.Link;
            var sentSubject = SubjectFor(target.Subscription, subject);
            if (sentSubject.IsEmpty || !link.MaySend(sentSubject, replyTo)) continue;
            target.Subscription.Count(batch);
            Write(link, sentSubject, replyTo, target.Groups, link.TakesHeaders ? headers : [], payload, batch);
            sent = true;
        }
        Return();
        return sent;
    }

    /// <summary>Sends a traced message, adds its targets to the trace, and returns the targets to the thread.</summary>
    /// <param name="message">The message with its trace.</param>
    /// <param name="batch">The publisher's batch.</param>
    /// <returns>Whether there was any target.</returns>
    public bool SendTraced(scoped in CrossAccountMessage message, SendBatch batch)
    {
        var trace = message.Trace!;
        var replyTo = message.ReplyTo;
        if (!replyTo.IsEmpty && !message.ShownSubject.IsEmpty && !LeafReply.HasShownSubject(replyTo)) replyTo = LeafReply.Join(replyTo, message.ShownSubject);
        var sent = false;
        batch.Count(_count);
        for (var i = 0; i < _count; i++)
        {
            var target = _targets[i];
            var link = target.Subscription!.Link;
            var subject = SubjectFor(target.Subscription, message.Subject);
            if (subject.IsEmpty || (trace.IsOnly && target.Subscription.Import is { AllowsTrace: false })) continue;
            var hop = trace.NextHop();
            var error = !link.MaySend(subject, replyTo) ? TraceErrors.PublishDenied
                : link.TakesTraces ? null
                : trace.IsOnly ? TraceErrors.NoSupportOnly : TraceErrors.NoSupport;
            trace.AddServer(link.Traced, link.TracedAccount, hop, error);
            if (error is TraceErrors.PublishDenied or TraceErrors.NoSupportOnly) continue;
            var headers = link.TakesHeaders ? HeaderLines.Set(message.Headers, TraceRequest.HopHeader, Encoding.ASCII.GetBytes(hop)) : [];
            target.Subscription.Count(batch);
            Write(link, subject, replyTo, target.Groups, headers, message.Payload, batch);
            sent = true;
        }
        Return();
        return sent;
    }

    private void Write(
        PeerLink link, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> groups, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        var lane = link.Outbox.LaneOf(batch);
        var account = link.WireAccount;
        var origin = _origin.Length > 0 && link.TakesOrigins ? _origin : [];
        var head = lane.Reserve(PeerFrameWriter.MaxMessageHeadBytes(account.Length, subject.Length, replyTo.Length, groups.Length, origin.Length));
        lane.Advance(PeerFrameWriter.WriteMessageHead(head, link.Kind, account, subject, replyTo, groups, headers.Length, headers.Length + payload.Length, origin));
        lane.Write(headers);
        lane.Write(payload);
        lane.Write("\r\n"u8);
        lane.Messages++;
        lane.MessageBytes += headers.Length + payload.Length;
        link.CountSent(headers.Length + payload.Length, batch);
        lane.CompleteMessage();
    }

    // The subject in the other server's account, if that imports it.
    private static ReadOnlySpan<byte> SubjectFor(PeerSubscription peer, ReadOnlySpan<byte> subject) => peer.Import is { } import ? import.Of(subject, subject) : subject;

    // Members of leaf nodes come last, wherever they are connected.
    private static bool IsInCluster(PeerSubscription peer) => peer.Link.IsRoute && peer.Origin.Length == 0;

    private static PeerSubscription? Draw(ReadOnlySpan<Subscription> items, Random random, PeerLink? source, bool inCluster)
    {
        PeerSubscription? chosen = null;
        long sum = 0;
        foreach (var item in items)
        {
            if (item is not PeerSubscription peer || IsInCluster(peer) != inCluster || (peer.Conditions & DeliveryConditions.Closed) != 0 || !PeerLink.MayForward(source, peer)) continue;
            var weight = peer.Weight;
            sum += weight;
            if (chosen is null || random.NextInt64(sum) < weight) chosen = peer;
        }
        return chosen;
    }

    // A server receives a message once: through the first of its subscriptions.
    private Target Find(PeerSubscription peer)
    {
        for (var i = 0; i < _count; i++)
            if (ReferenceEquals(_targets[i].Subscription!.Link, peer.Link)) return _targets[i];
        if (_count == _targets.Count) _targets.Add(new Target());
        var target = _targets[_count++];
        target.Subscription = peer;
        return target;
    }

    private static PeerTargets Rent(PeerLink? source)
    {
        var rented = _spare ?? new PeerTargets();
        _spare = null;
        rented._origin = source is { IsRoute: false } ? source.Cluster : [];
        return rented;
    }

    private void Return()
    {
        // An instance that was used for very many servers is not kept.
        if (_targets.Count > MaxKept) return;
        for (var i = 0; i < _count; i++) _targets[i].Clear();
        _count = 0;
        _spare = this;
    }

    private sealed class Target
    {
        private byte[] _groups = [];
        private int _length;

        public PeerSubscription? Subscription { get; set; }

        public ReadOnlySpan<byte> Groups => _groups.AsSpan(0, _length);

        public void Clear()
        {
            Subscription = null;
            _length = 0;
        }

        public void AddGroup(byte[] name)
        {
            var start = _length == 0 ? 0 : _length + 1;
            if (_groups.Length < start + name.Length) Array.Resize(ref _groups, Math.Max(64, 2 * (start + name.Length)));
            if (start > 0) _groups[start - 1] = (byte)' ';
            name.CopyTo(_groups, start);
            _length = start + name.Length;
        }
    }
}
