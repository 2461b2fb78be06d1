using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>One account's part of a route: the other server's interest, and the interest announced to it.</summary>
/// <remarks>Thread-safe; frames of a route are handled by one thread at a time. Interest in an account that is not known yet is kept until it is.</remarks>
internal sealed class RouteLink : PeerLink, IPublishingClient
{
    // What a kept subscription takes beside its names, measured and rounded up.
    private const int KeptSubscriptionBytes = 320;

    private readonly byte[] _name;

    // Guards the account, the map and interest that waits for the account. Held together with the locks of SubjectTree and Outbox.
    private readonly Lock _gate = new();
    private RouteInterestMap? _interest;
    private byte[] _messageOrigin = [];
    private bool _isClosed;

    // What the route counts for interest in this account while it is unknown.
    private int _keptBytes;

    /// <summary>Creates an account's part of a route.</summary>
    /// <param name="session">The route.</param>
    /// <param name="account">The account's name.</param>
    public RouteLink(RouteSession session, string account) => (Session, AccountName, _name) = (session, account, Encoding.UTF8.GetBytes(account));

    /// <summary>The route.</summary>
    public RouteSession Session { get; }

    /// <inheritdoc/>
    public string AccountName { get; }

    /// <summary>The account; null as long as it is not known.</summary>
    public Account? Account { get; private set; }

    /// <summary>The other server's subscriptions.</summary>
    public PeerSubscriptionTable Subscriptions { get; } = new(hasOrigins: true);

    /// <summary>The account's messages on the route.</summary>
    public RouteTraffic Traffic { get; } = new();

    /// <summary>Whether it is the system account's.</summary>
    public bool IsSystem => Account is { IsSystem: true };

    /// <inheritdoc/>
    public override PeerKind Kind => PeerKind.Route;

    /// <inheritdoc/>
    public override byte[] WireAccount => Session.PinnedAccount is null ? _name : [];

    /// <inheritdoc/>
    public override Outbox Outbox => Session.Outbox;

    /// <inheritdoc/>
    public override bool IsSpoke => false;

    /// <inheritdoc/>
    public override bool IsIsolated => false;

    /// <inheritdoc/>
    public override bool TakesHeaders => Session.TakesHeaders;

    /// <inheritdoc/>
    public override bool TakesTraces => Session.RemoteInfo is { Protocol: >= PeerSessions.TracingProtocol };

    /// <inheritdoc/>
    public override TraceConnection Traced => new(TraceConnection.Route, Id, Session.RemoteInfo?.ServerName);

    /// <inheritdoc/>
    public override string? TracedAccount => null;

    /// <inheritdoc/>
    public override byte[] Cluster => [];

    /// <inheritdoc/>
    public override byte[] MessageOrigin => _messageOrigin;

    /// <inheritdoc/>
    public override bool TakesOrigins => Session.RemoteInfo is { LeafNodeOrigin: true, LeafNodeOriginOfEnds: true };

    /// <inheritdoc/>
    public ulong Id => Session.Id;

    /// <inheritdoc/>
    public string? UserName => null;

    /// <inheritdoc/>
    public PermissionOptions? Permissions => null;

    /// <inheritdoc/>
    public ClientInfo Details => Session.Details;

    /// <inheritdoc/>
    public override void CountSent(int bytes, SendBatch batch) => Traffic.CountSent(bytes, batch);

    /// <inheritdoc/>
    public override bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo) => Session.Context.Permissions.AllowsMessage(subject);

    /// <summary>Sets the cluster of leaf nodes that the next message comes from. Called by the thread that handles it.</summary>
    public void SetMessageOrigin(ReadOnlySpan<byte> origin)
    {
        if (!origin.SequenceEqual(_messageOrigin)) _messageOrigin = origin.ToArray();
    }

    /// <summary>Adds the interest to an account that became known.</summary>
    public void Bind(Account account)
    {
        lock (_gate)
        {
            if (_isClosed || Account is not null) return;
            Account = account;
            account.Subscriptions.HasWeights = true;
            foreach (var subscription in Subscriptions.All()) account.Subscriptions.Add(subscription.SubjectBytes, subscription.QueueGroup, subscription);
            GiveBack(_keptBytes);
        }
    }

    /// <summary>Removes the interest from an account that was removed, and keeps it for a new one with the same name.</summary>
    public void Unbind()
    {
        lock (_gate)
        {
            if (Account is not { } account) return;
            if (_interest is { } announced) account.Interest.Detach(announced);
            foreach (var subscription in Subscriptions.All()) account.Subscriptions.Remove(subscription.SubjectBytes, subscription.QueueGroup, subscription);
            (Account, _interest) = (null, null);
        }
    }

    /// <summary>Whether it is the part of an unknown account without interest.</summary>
    public bool IsEmpty => Account is null && Subscriptions.Count == 0;

    /// <summary>Remembers that the route counts bytes for this part of an unknown account.</summary>
    public void CountKept(int bytes)
    {
        lock (_gate)
        {
            _keptBytes += bytes;
            if (Account is not null) GiveBack(_keptBytes);
        }
    }

    /// <summary>Gives back all that the route counts for this part.</summary>
    public void GiveBackKept()
    {
        lock (_gate) GiveBack(_keptBytes);
    }

    /// <summary>Announces the account's interest on this route from now on.</summary>
    public void Announce()
    {
        lock (_gate)
        {
            if (_isClosed || _interest is not null || Account is not { } account) return;
            _interest = new RouteInterestMap(this);
            account.Interest.Attach(_interest);
        }
    }

    /// <summary>Adds interest of the other server.</summary>
    /// <returns>False for an invalid subject.</returns>
    public bool Subscribe(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, int weight, ReadOnlySpan<byte> origin)
    {
        if (!Subject.IsValid(subject)) return false;
        lock (_gate)
        {
            if (_isClosed) return true;
            if (Subscriptions.Find(subject, queueGroup, origin) is { } known)
            {
                if (known.QueueGroup.Length == 0) return true;
                if (Account is { } changed) changed.Interest.ChangeWeight(known, weight);
                else known.Weight = weight;
                return true;
            }
            if (Account is null)
            {
                var bytes = KeptBytesOf(subject, queueGroup, origin);
                if (!Session.TryKeep(bytes)) return true;
                _keptBytes += bytes;
            }
            var subscription = new PeerSubscription(this, subject, queueGroup, origin.ToArray()) { Weight = weight };
            Subscriptions.Add(subscription);
            Account?.Subscriptions.Add(subject, queueGroup, subscription);
            return true;
        }
    }

    /// <summary>Removes interest of the other server.</summary>
    /// <param name="frame">The frame.</param>
    public void Unsubscribe(scoped in PeerFrame frame)
    {
        Account? account;
        lock (_gate)
        {
            var found = frame.IsOfLeafNode && frame.Origin.IsEmpty
                ? Subscriptions.FindOfLeafNode(frame.Subject, frame.QueueGroup)
                : Subscriptions.Find(frame.Subject, frame.QueueGroup, frame.Origin);
            if (found is not { } subscription) return;
            Subscriptions.Remove(subscription);
            account = Account;
            if (account is null)
            {
                GiveBack(KeptBytesOf(subscription.SubjectBytes, subscription.QueueGroup, subscription.Origin));
                return;
            }
            subscription.Leave(account.Subscriptions);
        }
        account.InterestLost(frame.Subject);
    }

    /// <summary>Applies changed permissions: drops interest of the other server that is no longer allowed, and announces or withdraws the broker's own.</summary>
    public void ApplyPermissions(RoutePermissions permissions)
    {
        Account? account;
        List<PeerSubscription> denied = [];
        lock (_gate)
        {
            account = Account;
            foreach (var subscription in Subscriptions.All())
            {
                if (permissions.AllowsExport(subscription.SubjectBytes)) continue;
                Subscriptions.Remove(subscription);
                if (account is not null) subscription.Leave(account.Subscriptions);
                denied.Add(subscription);
            }
            if (account is not null && _interest is { } announced) account.Interest.Refresh(announced);
        }
        foreach (var subscription in denied) account?.InterestLost(subscription.SubjectBytes);
    }

    /// <summary>Announces interest that the other server rejected before and accepts now.</summary>
    public void AnnounceAgain(RoutePermissions before, RoutePermissions now)
    {
        lock (_gate)
        {
            if (Account is not { } account || _interest is not { } announced) return;
            account.Interest.SendAgain(announced, subject => now.AllowsExport(subject) && !before.AllowsExport(subject));
        }
    }

    /// <summary>Removes all interest: the route has ended.</summary>
    public void Close() => Clear(isClosed: true);

    /// <summary>Removes all interest, and announces none until <see cref="Announce"/>: the account has another route.</summary>
    public void Withdraw() => Clear(isClosed: false);

    // Names are kept in the subscription and in the key of the table.
    private static int KeptBytesOf(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> origin)
        => KeptSubscriptionBytes + (2 * (subject.Length + queueGroup.Length + origin.Length));

    // Those of an account that was removed were not counted.
    private void GiveBack(int bytes)
    {
        bytes = Math.Min(bytes, _keptBytes);
        _keptBytes -= bytes;
        if (bytes > 0) Session.GiveBack(bytes);
    }

    private void Clear(bool isClosed)
    {
        Account? account;
        PeerSubscription[] all;
        lock (_gate)
        {
            _isClosed |= isClosed;
            (account, all) = (Account, Subscriptions.Clear());
            if (account is null) return;
            if (_interest is { } announced) account.Interest.Detach(announced);
            _interest = null;
            InterestBatch.Remove(all, Session.Context.Sessions.Batches, subscription => subscription.Leave(account.Subscriptions));
        }
        foreach (var subscription in all) account.InterestLost(subscription.SubjectBytes);
    }
}
