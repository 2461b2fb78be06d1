using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>A connection to another server of the cluster: handles its frames.</summary>
/// <remarks>Frames are handled by one thread at a time. Timers, deliveries and monitoring run on other threads and use thread-safe members.</remarks>
internal sealed class RouteSession : IReceiver, IPeerSession
{
    private const int FramesPerLook = 64;

    // Maximum bytes beyond the greater max_payload: headers that describe a requester in another account.
    private const int MaxAddedBytes = 64 * 1024;

    // Limits the memory of interest in unknown accounts, each of which may have any number of subjects.
    private const long MaxKeptBytes = 16 * 1024 * 1024;

    // What the part of an account takes beside its names, measured and rounded up.
    private const int KeptAccountBytes = 1024;

    // For a server without a user, which only has to send its INFO.
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(30);

    private readonly ConcurrentDictionary<string, RouteLink> _links = new(StringComparer.Ordinal);
    private readonly PeerTimer _timer;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _confirmed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    // Guards the greeting. Held together with the locks of PeerTimer and Outbox.
    private readonly Lock _greeting = new();

    // Guards the removal of parts of unknown accounts against their use for accounts that become known. Held before the lock of RouteLink.
    private readonly Lock _parts = new();
    private bool _hasGreeted;
    private PeerFrameParser _parser = new(PeerKind.Route);
    private byte[] _lastAccount = [];
    private RouteLink? _lastLink;
    private long _keptBytes;
    private int _end;
    private int _hasEnded;
    private long _inMessages;
    private long _inBytes;
    private long _lastActivity;

    /// <summary>Creates the session of a connection.</summary>
    /// <param name="connection">A connection that does not read yet.</param>
    /// <param name="context">The broker's.</param>
    /// <param name="target">The target of a solicited connection; null for an accepted one.</param>
    public RouteSession(Connection connection, RouteContext context, RouteTarget? target)
    {
        (Connection, Context, Target, PinnedAccount) = (connection, context, target, target?.Account);
        Id = context.Sessions.NextId();
        StartedAt = context.Time.GetUtcNow();
        _lastActivity = context.Time.GetTimestamp();
        Compression = new PeerCompression(context.Options.Compression);
        (var address, RemotePort) = PeerSessions.AddressOf(connection.RemoteEndPoint);
        RemoteAddress = address ?? "";
        Name = $"{WebSocketHandshake.AddressText(connection.RemoteEndPoint)} - rid:{Id}";
        PeerSessions.Limit(ref _parser, context.Sessions.Options, isTrusted: target is not null);
        _timer = new PeerTimer(this, context.Sessions, context.PingInterval, context.Options.MaxPingsOut);
        PrepareOutbox();
    }

    /// <summary>The broker's id of the connection.</summary>
    public ulong Id { get; }

    /// <inheritdoc/>
    public Connection Connection { get; private set; }

    /// <summary>The state shared by all routes.</summary>
    public RouteContext Context { get; }

    /// <summary>The target of a solicited connection; null for an accepted one.</summary>
    public RouteTarget? Target { get; }

    /// <summary>The session in log lines.</summary>
    public string Name { get; }

    /// <summary>When the connection was established.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>The negotiated compression.</summary>
    public PeerCompression Compression { get; }

    /// <summary>The other server's address.</summary>
    public string RemoteAddress { get; } = "";

    /// <summary>The other server's port.</summary>
    public int RemotePort { get; }

    /// <summary>The CONNECT of an accepted connection; null for others.</summary>
    public RouteConnectInfo? ConnectInfo { get; private set; }

    /// <summary>The other server's first INFO; null before.</summary>
    public ServerInfo? RemoteInfo { get; set; }

    /// <summary>The other server's id; empty before its first INFO.</summary>
    public string RemoteId => RemoteInfo?.ServerId ?? "";

    /// <summary>The account of a dedicated route; null for a route of the pool.</summary>
    public string? PinnedAccount { get; set; }

    /// <summary>The index in the pool.</summary>
    public int PoolIndex { get; set; }

    /// <summary>Whether it is the only connection to the other server, used by all accounts.</summary>
    public bool IsWithoutPool { get; set; }

    /// <summary>Whether the handshake has completed and the connection is registered. Set by the registry.</summary>
    public bool IsRegistered { get; set; }

    /// <summary>Why the broker does not reconnect at once; none for most connections.</summary>
    public RouteRefusal Refusal { get; set; }

    /// <summary>Whether both servers understand headers.</summary>
    public bool TakesHeaders { get; set; }

    /// <summary>The connection's outbox.</summary>
    public Outbox Outbox => Connection.Outbox;

    /// <summary>The parts of the accounts.</summary>
    public IEnumerable<RouteLink> Links => _links.Values;

    /// <summary>The connection once it is encrypted; null without TLS.</summary>
    public TlsConnection? Tls => TlsConnection.Of(Connection) is { IsSecure: true } tls ? tls : null;

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip => _timer.RoundTrip;

    /// <summary>Messages received.</summary>
    public long InMessages => Volatile.Read(ref _inMessages);

    /// <summary>Header and payload bytes received.</summary>
    public long InBytes => Volatile.Read(ref _inBytes);

    /// <inheritdoc/>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    /// <summary>Completes when the session has ended and is removed.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Whether the other server has accepted the connection; false when it ended before.</summary>
    public Task<bool> Confirmed => _confirmed.Task;

    /// <summary>Details for services.</summary>
    public ClientInfo Details => new(RemoteAddress, RemoteInfo?.ServerName, null, RemoteInfo?.Version, StartedAt, RoundTrip);

    private bool IsEnding => Volatile.Read(ref _end) != 0;

    /// <summary>Starts reading, and the handshake if no TLS handshake comes first.</summary>
    public void Start()
    {
        Context.Registry.Add(this);
        RouteLog.Created(Context.Logger, Name);
        if (Connection is not TlsConnection) Greet();
        Connection.Start(this);
        // Frames sent after the start wait for the end of the TLS handshake.
        if (Target is not null) Greet();
    }

    /// <summary>Sends the first frames of the handshake, once.</summary>
    public void Greet()
    {
        lock (_greeting)
        {
            if (_hasGreeted) return;
            _hasGreeted = true;
            GreetLocked();
        }
    }

    /// <summary>Whether the broker's INFO waits for that of the other server, to contain the pool index or the choice of compression.</summary>
    public bool IsInfoDelayed => Target is not null && (Context.Options.Compression.Mode != ServerCompressionMode.Off || (PinnedAccount is null && Context.PoolSize > 0));

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> frames) => PeerSessions.Send(Context.Sessions, this, Connection.Outbox, frames);

    /// <summary>Handles a PONG.</summary>
    public void PongReceived()
    {
        _timer.PongReceived();
        Compression.Measured(RoundTrip);
        if (IsRegistered) _confirmed.TrySetResult(true);
    }

    /// <summary>Starts to compress. Called while a frame is handled.</summary>
    public void Compress(SendBatch batch)
    {
        Connection = EncodedConnection.Upgrade(Connection, Compression.Codec!, batch);
        PrepareOutbox();
        Connection.Start(this);
    }

    /// <summary>Accepts the CONNECT of another server that may connect.</summary>
    public void Accept(RouteConnectInfo connect) => (ConnectInfo, _parser.IsTrusted) = (connect, true);

    /// <summary>Starts the use of the route: announces interest, and accepts that of the other server.</summary>
    public void Begin()
    {
        _parser.HasAccounts = PinnedAccount is null;
        _parser.HasOriginsOfEnds = RemoteInfo!.LeafNodeOriginOfEnds;
        _parser.MaxPayloadBytes = Math.Max(Context.Sessions.Options.MaxPayloadBytes, RemoteInfo.MaxPayload) is var max && max > 0 ? (int)Math.Min(int.MaxValue, (long)max + MaxAddedBytes) : -1;
        _timer.StartPings();
        // The PONG confirms that the other server has accepted the connection.
        if (Target is not null) Send("PING\r\n"u8);
        // A subscription may have arrived over a route of the pool while the account moved to its dedicated route.
        if (PinnedAccount is { } pinned)
            foreach (var session in Context.Registry.Registered.Where(session => session is { PinnedAccount: null, IsWithoutPool: false } && session.RemoteId == RemoteId)) session.Withdraw(pinned);
        foreach (var account in Context.Sessions.Accounts.All) Announce(account);
    }

    /// <summary>Removes the other server's interest in an account, and stops announcing its interest: the account has a dedicated route.</summary>
    public void Withdraw(string account)
    {
        if (_links.TryGetValue(account, out var known)) known.Withdraw();
    }

    /// <summary>Whether this is the route of the pool for an account.</summary>
    public bool IsFor(string account) => PoolIndex == RouteContext.PoolIndexOf(Context.PoolSize, account);

    /// <summary>Announces an account's interest, if this is its route.</summary>
    public void Announce(Account account)
    {
        lock (_parts)
        {
            if (Serves(account.Name)) LinkOf(account.Name).Announce();
            else if (_links.TryGetValue(account.Name, out var known)) known.Bind(account);
        }
    }

    /// <summary>Applies changed permissions of the broker, and announces them to the other server.</summary>
    public void ApplyPermissions()
    {
        Send(Context.RenderChangedInfo());
        foreach (var link in _links.Values) link.ApplyPermissions(Context.Permissions);
    }

    /// <summary>Applies changed permissions of the other server.</summary>
    public void TakePermissions(ServerInfo info)
    {
        var (known, before, now) = (RemoteInfo!, RoutePermissions.Of(RemoteInfo!), RoutePermissions.Of(info));
        (known.Import, known.Export) = (info.Import, info.Export);
        if (ReferenceEquals(before, now)) return;
        foreach (var link in _links.Values) link.AnnounceAgain(before, now);
    }

    /// <summary>Keeps the other server's interest in a removed account for a new one with the same name.</summary>
    public void Forget(Account account)
    {
        if (_links.TryGetValue(account.Name, out var known)) known.Unbind();
    }

    /// <summary>Counts memory of interest in an unknown account.</summary>
    /// <param name="bytes">Bytes, 1 and up.</param>
    /// <returns>False when the limit is exceeded: it is not kept.</returns>
    public bool TryKeep(int bytes)
    {
        if (Interlocked.Add(ref _keptBytes, bytes) <= MaxKeptBytes) return true;
        GiveBack(bytes);
        RouteLog.Detail(Context.Logger, Name, "interest in an unknown account dropped: the limit is reached");
        return false;
    }

    /// <summary>Counts memory of interest that has ended, or whose account became known.</summary>
    /// <param name="bytes">Bytes that <see cref="TryKeep"/> has counted.</param>
    public void GiveBack(int bytes) => Interlocked.Add(ref _keptBytes, -bytes);

    /// <summary>The part of an account for a new subscription. Called while a frame is handled.</summary>
    /// <param name="account">The account's name.</param>
    /// <returns>Null when the account is not known and too much is kept for such accounts.</returns>
    public RouteLink? LinkForInterest(string account)
    {
        if (_links.TryGetValue(account, out var known)) return known;
        if (Context.Sessions.Accounts.Find(account) is not null) return LinkOf(account);
        var bytes = KeptAccountBytes + (4 * account.Length);
        if (!TryKeep(bytes)) return null;
        var link = LinkOf(account);
        link.CountKept(bytes);
        return link;
    }

    /// <summary>Removes interest of the other server. Called while a frame is handled.</summary>
    /// <param name="account">The account's name.</param>
    /// <param name="frame">The frame.</param>
    public void Unsubscribe(string account, scoped in PeerFrame frame)
    {
        if (!_links.TryGetValue(account, out var link)) return;
        link.Unsubscribe(in frame);
        if (!link.IsEmpty) return;
        lock (_parts)
        {
            if (!link.IsEmpty || !_links.TryRemove(account, out _)) return;
        }
        link.GiveBackKept();
        (_lastAccount, _lastLink) = ([], null);
    }

    /// <summary>The part of an account.</summary>
    /// <param name="account">The account's name.</param>
    public RouteLink LinkOf(string account)
    {
        if (_links.TryGetValue(account, out var known)) return known;
        var link = _links.GetOrAdd(account, static (name, session) => new RouteLink(session, name), this);
        if (Context.Sessions.Accounts.Find(account) is { } found) link.Bind(found);
        // The session may have ended on another thread before it contained the part.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _hasEnded) != 0) link.Close();
        return link;
    }

    /// <inheritdoc/>
    public void End(ClosedState end, string? error, SendBatch? batch = null)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        if (batch is not null) Connection.Outbox.LaneOf(batch).Submit();
        if (error is not null)
        {
            RouteLog.Problem(Context.Logger, Name, error);
            Connection.Outbox.Send(Encoding.UTF8.GetBytes($"-ERR '{error}'\r\n"));
        }
        Connection.CloseAfterSending();
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        Volatile.Write(ref _lastActivity, Context.Time.GetTimestamp());
        neededBytes = 0;
        var rest = input;
        var frames = 0;
        while (!IsEnding && !batch.ShouldYield && !Connection.IsClosed)
        {
            var status = _parser.TryRead(ref rest, out var frame);
            if (status == OperationStatus.NeedMoreData)
            {
                neededBytes = _parser.NeededBytes;
                return input.Length - rest.Length;
            }
            if (status == OperationStatus.InvalidData)
            {
                PeerSessions.Reject(this, _parser.Error, _parser.Problem, batch, Target is null || RemoteInfo is not null ? [] : rest);
                break;
            }
            if ((++frames & (FramesPerLook - 1)) == 0) batch.LookAtClock();
            if (frame.Kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders && IsRegistered) Publish(in frame, batch);
            else RouteFrameHandler.Handle(this, in frame, batch);
        }
        return IsEnding || Connection.IsClosed ? input.Length : input.Length - rest.Length;
    }

    /// <inheritdoc/>
    public void Closed(CloseReason reason, Exception? error)
    {
        var end = (ClosedState)Interlocked.CompareExchange(ref _end, (int)reason.ToClosedState(), 0);
        if (end == 0) end = reason.ToClosedState();
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0) return;
        _timer.Stop();
        if (error is InvalidDataException) RouteLog.Problem(Context.Logger, Name, error.Message);
        if (reason == CloseReason.ReceiverFault) RouteLog.Fault(Context.Logger, Name, error);
        if (reason == CloseReason.TlsHandshakeFailed) RouteLog.Problem(Context.Logger, Name, $"TLS route handshake error: {error?.InnerException?.Message ?? error?.Message}");
        // Another server may have had very many subscriptions.
        ThreadPool.UnsafeQueueUserWorkItem(static it => it.Session.Unregister(it.End), (Session: this, End: end), preferLocal: false);
    }

    // The caller holds the lock, so that frames received next find the greeting sent.
    private void GreetLocked()
    {
        _timer.Await(Target is null && Context.RequiresUser ? Context.Options.AuthTimeout : HandshakeTimeout, ClosedState.AuthenticationTimeout, "Authentication Timeout");
        if (Target is null)
        {
            Send(Context.RenderInfo(this, 0));
            return;
        }
        Send(Context.RenderConnect(Target.Address));
        if (!IsInfoDelayed) Send(Context.RenderInfo(this, Target.GossipMode));
    }

    private void PrepareOutbox() => PeerSessions.Limit(Connection.Outbox, Context.Sessions.Options, Context.Options.WriteDeadline, Context.Options.WriteTimeout);

    private bool Serves(string account)
    {
        if (IsWithoutPool) return true;
        if (PinnedAccount is not null) return PinnedAccount == account;
        return !Context.IsPinned(account) && IsFor(account);
    }

    private void Publish(scoped in PeerFrame frame, SendBatch batch)
    {
        PeerSessions.Trace(Context.Sessions, this, in frame);
        _inMessages++;
        _inBytes += frame.Headers.Length + frame.Payload.Length;
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && !TakesHeaders)
        {
            PeerSessions.Reject(this, FrameError.HeadersNotSupported, "message headers not supported", batch);
            return;
        }
        if (FindLink(frame.Account) is not { Account: { } account } link) return;
        link.Traffic.CountReceived(frame.Headers.Length + frame.Payload.Length);
        link.SetMessageOrigin(frame.Origin);
        var replyTo = frame.ReplyTo;
        ReadOnlySpan<byte> shown = [];
        LeafReply.Split(ref replyTo, ref shown);
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && TraceRequest.MayBeIn(frame.Headers, account.TracesParents)
            && RouteTracing.TryPublish(link, account, in frame, replyTo, shown, batch)) return;
        PeerRouter.Publish(
            account.Subscriptions, new CrossAccountMessage(frame.Subject, shown, replyTo, frame.Headers, frame.Payload), frame.QueueGroups, anyGroup: false, link, link, batch);
    }

    // Consecutive messages are mostly of the same account.
    private RouteLink? FindLink(ReadOnlySpan<byte> name)
    {
        if (_lastLink is { } last && name.SequenceEqual(_lastAccount)) return last;
        var account = PinnedAccount ?? Subject.ToText(name);
        // The name of an account that does not exist is not cached.
        if (!_links.ContainsKey(account) && Context.Sessions.Accounts.Find(account) is null) return null;
        (_lastAccount, _lastLink) = (name.ToArray(), LinkOf(account));
        return _lastLink;
    }

    private void Unregister(ClosedState end)
    {
        foreach (var link in _links.Values) link.Close();
        RouteLog.Closed(Context.Logger, Name, Refusal == RouteRefusal.Duplicate ? "Duplicate Route" : end.ToText());
        Context.Sessions.Sessions.CountPeer(end, isLeafNode: false);
        Context.Registry.Remove(this);
        foreach (var link in _links.Values) link.Account?.ClosedRouteTraffic.Add(link.Traffic.Read());
        _confirmed.TrySetResult(false);
        _ended.TrySetResult();
    }
}
