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
/// <remarks>Frames are handled by one thread at a time. Timers, deliveries, interest and monitoring come from other threads and touch only what is thread-safe.</remarks>
internal sealed class RouteSession : IReceiver, IPeerSession
{
    private const int FramesPerLook = 64;

    // What a message may have beyond the greater max_payload: headers that say who asks from another account.
    private const int MaxAddedBytes = 64 * 1024;

    // Interest in accounts that are not known, in each of which there may be any number of subjects.
    private const long MaxKeptBytes = 16 * 1024 * 1024;

    // Without a user: the other server only has to say what it is.
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(30);

    private readonly ConcurrentDictionary<string, RouteLink> _links = new(StringComparer.Ordinal);
    private readonly PeerTimer _timer;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _confirmed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    // Guards the greeting. Held with PeerTimer's and Outbox's.
    private readonly Lock _greeting = new();
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

    /// <summary>Makes a connection's session.</summary>
    /// <param name="connection">A connection that does not read yet.</param>
    /// <param name="context">The broker's.</param>
    /// <param name="target">What the broker connects to; null for an accepted connection.</param>
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
        PeerSessions.Limit(ref _parser, context.Sessions.Options);
        _timer = new PeerTimer(this, context.Sessions, context.PingInterval, context.Options.MaxPingsOut);
        PrepareOutbox();
    }

    /// <summary>The broker's number of the connection.</summary>
    public ulong Id { get; }

    /// <inheritdoc/>
    public Connection Connection { get; private set; }

    /// <summary>What all routes share.</summary>
    public RouteContext Context { get; }

    /// <summary>What the broker connects to; null for an accepted connection.</summary>
    public RouteTarget? Target { get; }

    /// <summary>The session in log lines.</summary>
    public string Name { get; }

    /// <summary>When the connection was made.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>What was agreed on about compression.</summary>
    public PeerCompression Compression { get; }

    /// <summary>The other server's address.</summary>
    public string RemoteAddress { get; } = "";

    /// <summary>The other server's port.</summary>
    public int RemotePort { get; }

    /// <summary>What an accepted connection said in CONNECT; null for others.</summary>
    public RouteConnectInfo? ConnectInfo { get; set; }

    /// <summary>The other server's first INFO; null before.</summary>
    public ServerInfo? RemoteInfo { get; set; }

    /// <summary>The other server's id; empty before its first INFO.</summary>
    public string RemoteId => RemoteInfo?.ServerId ?? "";

    /// <summary>The only account of the route; null for a route of the pool.</summary>
    public string? PinnedAccount { get; set; }

    /// <summary>The place in the pool.</summary>
    public int PoolIndex { get; set; }

    /// <summary>Whether it is the only connection to the other server, and for all accounts.</summary>
    public bool IsWithoutPool { get; set; }

    /// <summary>Whether the handshake is done and the connection has its place. Set by the registry.</summary>
    public bool IsRegistered { get; set; }

    /// <summary>Why the broker does not connect there again at once; none for most.</summary>
    public RouteRefusal Refusal { get; set; }

    /// <summary>Whether both servers understand headers.</summary>
    public bool TakesHeaders { get; set; }

    /// <summary>The bytes to send.</summary>
    public Outbox Outbox => Connection.Outbox;

    /// <summary>The accounts' shares.</summary>
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

    /// <summary>Completes when the session is over and forgotten.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Whether the other server has taken the connection; false when it ended before.</summary>
    public Task<bool> Confirmed => _confirmed.Task;

    /// <summary>Details for services.</summary>
    public ClientInfo Details => new(RemoteAddress, RemoteInfo?.ServerName, null, RemoteInfo?.Version, StartedAt, RoundTrip);

    private bool IsEnding => Volatile.Read(ref _end) != 0;

    /// <summary>Begins to read; and the handshake, where no TLS handshake comes before it.</summary>
    public void Start()
    {
        Context.Registry.Add(this);
        RouteLog.Created(Context.Logger, Name);
        if (Connection is not TlsConnection) Greet();
        Connection.Start(this);
        // What is sent once it is started waits for the end of the TLS handshake.
        if (Target is not null) Greet();
    }

    /// <summary>Sends what the handshake begins with, once.</summary>
    public void Greet()
    {
        lock (_greeting)
        {
            if (_hasGreeted) return;
            _hasGreeted = true;
            GreetLocked();
        }
    }

    /// <summary>Whether the broker's INFO waits for that of the other server, to contain the place in the pool or the choice of compression.</summary>
    public bool IsInfoDelayed => Target is not null && (Context.Options.Compression.Mode != ServerCompressionMode.Off || (PinnedAccount is null && Context.PoolSize > 0));

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> frames) => Connection.Outbox.Send(frames);

    /// <summary>Notes a PONG.</summary>
    public void PongReceived()
    {
        _timer.PongReceived();
        Compression.Measured(RoundTrip);
        if (IsRegistered) _confirmed.TrySetResult(true);
    }

    /// <summary>Goes on compressed. While a frame is handled.</summary>
    public void Compress(SendBatch batch)
    {
        Connection = EncodedConnection.Upgrade(Connection, Compression.Codec!, batch);
        PrepareOutbox();
        Connection.Start(this);
    }

    /// <summary>Takes its place: announces interest, and takes that of the other server.</summary>
    public void Begin()
    {
        _parser.HasAccounts = PinnedAccount is null;
        _parser.HasOriginsOfEnds = RemoteInfo!.LeafNodeOriginOfEnds;
        _parser.MaxPayloadBytes = Math.Max(Context.Sessions.Options.MaxPayloadBytes, RemoteInfo.MaxPayload) is var max && max > 0 ? (int)Math.Min(int.MaxValue, (long)max + MaxAddedBytes) : -1;
        _timer.StartPings();
        // The answer confirms that the other server has taken the connection.
        if (Target is not null) Send("PING\r\n"u8);
        // A subscription may have come over a route of the pool while the account moved to its own.
        if (PinnedAccount is { } pinned)
            foreach (var session in Context.Registry.Registered.Where(session => session is { PinnedAccount: null, IsWithoutPool: false } && session.RemoteId == RemoteId)) session.Withdraw(pinned);
        foreach (var account in Context.Sessions.Accounts.All) Announce(account);
    }

    /// <summary>Forgets what the other server wants of an account, and announces no more of it: the account has a route of its own.</summary>
    public void Withdraw(string account)
    {
        if (_links.TryGetValue(account, out var known)) known.Withdraw();
    }

    /// <summary>Whether a route of the pool has the place of an account.</summary>
    public bool IsFor(string account) => PoolIndex == RouteContext.PoolIndexOf(Context.PoolSize, account);

    /// <summary>Announces an account's interest, where this is its route.</summary>
    public void Announce(Account account)
    {
        if (Serves(account.Name)) LinkOf(account.Name).Announce();
        else if (_links.TryGetValue(account.Name, out var known)) known.Bind(account);
    }

    /// <summary>Works by changed permissions of the broker's own, and tells the other server of them.</summary>
    public void ApplyPermissions()
    {
        Send(Context.RenderChangedInfo());
        foreach (var link in _links.Values) link.ApplyPermissions(Context.Permissions);
    }

    /// <summary>Takes over changed permissions of the other server.</summary>
    public void TakePermissions(ServerInfo info)
    {
        var (known, before, now) = (RemoteInfo!, RoutePermissions.Of(RemoteInfo!), RoutePermissions.Of(info));
        (known.Import, known.Export) = (info.Import, info.Export);
        if (ReferenceEquals(before, now)) return;
        foreach (var link in _links.Values) link.AnnounceAgain(before, now);
    }

    /// <summary>Keeps what the other server wants of an account for one of the same name.</summary>
    public void Forget(Account account)
    {
        if (_links.TryGetValue(account.Name, out var known)) known.Unbind();
    }

    /// <summary>Counts interest in an account that is not known.</summary>
    /// <returns>False when there is too much of it.</returns>
    public bool TryKeepInterest(int bytes)
    {
        if (Interlocked.Add(ref _keptBytes, bytes + 64) <= MaxKeptBytes) return true;
        RouteLog.Detail(Context.Logger, Name, "interest in an unknown account dropped: there is too much of it");
        return false;
    }

    /// <summary>The share of an account.</summary>
    /// <param name="account">The account's name.</param>
    public RouteLink LinkOf(string account)
    {
        if (_links.TryGetValue(account, out var known)) return known;
        var link = _links.GetOrAdd(account, static (name, session) => new RouteLink(session, name), this);
        if (Context.Sessions.Accounts.Find(account) is { } found) link.Bind(found);
        // The session may have ended on another thread before it knew the share.
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
                PeerSessions.Reject(this, _parser.Error, _parser.Problem, batch);
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

    // What is received next must find it sent: it holds the lock.
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
        _inMessages++;
        _inBytes += frame.Headers.Length + frame.Payload.Length;
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && !TakesHeaders)
        {
            PeerSessions.Reject(this, FrameError.HeadersNotSupported, "message headers not supported", batch);
            return;
        }
        if (FindLink(frame.Account) is not { Account: { } account } link) return;
        link.SetMessageOrigin(frame.Origin);
        var replyTo = frame.ReplyTo;
        ReadOnlySpan<byte> shown = [];
        LeafReply.Split(ref replyTo, ref shown);
        if (frame.Kind == PeerFrameKind.MessageWithHeaders && TraceRequest.MayBeIn(frame.Headers, account.TracesParents)
            && RouteTracing.TryPublish(link, account, in frame, replyTo, shown, batch)) return;
        PeerRouter.Publish(
            account.Subscriptions, new CrossAccountMessage(frame.Subject, shown, replyTo, frame.Headers, frame.Payload), frame.QueueGroups, anyGroup: false, link, link, batch);
    }

    // Messages of one account mostly follow each other.
    private RouteLink? FindLink(ReadOnlySpan<byte> name)
    {
        if (_lastLink is { } last && name.SequenceEqual(_lastAccount)) return last;
        var account = PinnedAccount ?? Subject.ToText(name);
        // A name that no account has is nothing to remember.
        if (!_links.ContainsKey(account) && Context.Sessions.Accounts.Find(account) is null) return null;
        (_lastAccount, _lastLink) = (name.ToArray(), LinkOf(account));
        return _lastLink;
    }

    private void Unregister(ClosedState end)
    {
        foreach (var link in _links.Values) link.Close();
        RouteLog.Closed(Context.Logger, Name, Refusal == RouteRefusal.Duplicate ? "Duplicate Route" : end.ToText());
        Context.Registry.Remove(this);
        _confirmed.TrySetResult(false);
        _ended.TrySetResult();
    }
}
