using System.Buffers;
using System.Net;
using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Peers;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Broker.Tracing;
using Postrider.Broker.Trust;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>A leaf node connection, in either role: handles the frames of the other server.</summary>
/// <remarks>Frames are handled by one thread at a time. Timers, deliveries and monitoring run on other threads and use thread-safe members.</remarks>
internal sealed class LeafSession : PeerLink, IReceiver, IPublishingClient, IPeerSession
{
    private const int FramesPerLook = 64;

    private readonly PeerTimer _timer;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PeerFrameParser _parser = new(PeerKind.LeafNode);
    private LeafPermissions _permissions = LeafPermissions.None;
    private LeafInterestMap? _interest;
    private byte[] _cluster = [];
    private bool _takesHeaders;
    private byte[]? _deferredInput;
    private bool _isDeferring;
    private Action<SendBatch>? _upgrade;

    // Guards whether the session has joined its account, or has left it for good. Held with the locks of LeafRegistry, SubjectTree, Outbox.
    private readonly Lock _gate = new();
    private bool _hasLeft;
    private int _end;
    private int _hasEnded;
    private long _inMessages;
    private long _inBytes;
    private long _lastActivity;

    /// <summary>Creates the session of a connection.</summary>
    /// <param name="connection">A connection that does not read yet.</param>
    /// <param name="context">The broker's context for leaf nodes.</param>
    /// <param name="remote">The remote that it was solicited from; null for an accepted one.</param>
    public LeafSession(Connection connection, LeafContext context, LeafRemote? remote)
    {
        (Connection, Context, Remote) = (connection, context, remote);
        Account = remote?.Account ?? context.Sessions.Accounts.Global;
        Id = context.Sessions.NextId();
        Nonce = remote is null ? LeafContext.CreateNonce() : "";
        StartedAt = context.Time.GetUtcNow();
        _lastActivity = context.Time.GetTimestamp();
        Compression = new PeerCompression(remote?.Options.Compression ?? context.Options.Compression);
        (RemoteAddress, RemotePort) = PeerSessions.AddressOf(connection.RemoteEndPoint);
        Name = $"{WebSocketHandshake.AddressText(connection.RemoteEndPoint)} - lid:{Id}";
        IsWebSocket = connection is WebSocketConnection;
        IsIsolatedByUs = context.Options.Isolate || remote is { Options.Isolate: true };
        PeerSessions.Limit(ref _parser, context.Sessions.Options, isTrusted: remote is not null);
        _timer = new PeerTimer(this, context.Sessions);
        PrepareOutbox();
    }

    /// <inheritdoc/>
    public ulong Id { get; }

    /// <summary>The connection; replaced once it is encrypted or compressed.</summary>
    public Connection Connection { get; private set; }

    /// <summary>The state shared by all leaf node connections.</summary>
    public LeafContext Context { get; }

    /// <summary>The remote that it was solicited from; null for an accepted one.</summary>
    public LeafRemote? Remote { get; }

    /// <summary>The session in log lines.</summary>
    public string Name { get; }

    /// <summary>The nonce of an accepted connection.</summary>
    public string Nonce { get; }

    /// <summary>When the connection was established.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>The negotiated compression.</summary>
    public PeerCompression Compression { get; }

    /// <summary>Whether a solicited connection waits for the INFO that begins its compressed part.</summary>
    public bool AwaitsEncodedInfo { get; set; }

    /// <summary>Whether it uses a WebSocket.</summary>
    public bool IsWebSocket { get; }

    /// <summary>Why the session ends; none while it is open.</summary>
    public ClosedState EndState => (ClosedState)Volatile.Read(ref _end);

    /// <summary>The other server's address.</summary>
    public string? RemoteAddress { get; }

    /// <summary>The other server's port.</summary>
    public int RemotePort { get; }

    /// <summary>The account on this side.</summary>
    public Account Account { get; private set; }

    /// <summary>The user of an accepted connection; null for others.</summary>
    public User? User { get; private set; }

    /// <summary>The user's token in operator mode; null for others.</summary>
    public TokenUser? Token { get; set; }

    /// <summary>Maximum number of the other server's subscriptions; -1 for no limit.</summary>
    public int MaxSubscriptions { get; private set; } = -1;

    /// <summary>The CONNECT of an accepted connection; null for others.</summary>
    public LeafConnectInfo? ConnectInfo { get; private set; }

    /// <summary>The other server's name.</summary>
    public string ServerName { get; private set; } = "";

    /// <summary>The other server's JetStream domain; empty without one.</summary>
    public string Domain { get; private set; } = "";

    /// <summary>The account on the other side; empty until it is known.</summary>
    public string RemoteAccountName { get; set; } = "";

    /// <summary>Whether the handshake is done and the connection counts among those of its account. Set by the registry.</summary>
    public bool IsRegistered { get; set; }

    /// <summary>The other server's subscriptions.</summary>
    public PeerSubscriptionTable Subscriptions { get; } = new();

    /// <summary>The other server's subscriptions in accounts that its account imports from.</summary>
    public ImportedSubscriptions Imported { get; } = new();

    /// <summary>The connection once it is encrypted; null before and without TLS.</summary>
    public TlsConnection? Tls => TlsConnection.Of(Connection) is { IsSecure: true } tls ? tls : null;

    /// <summary>The last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip => _timer.RoundTrip;

    /// <summary>Messages and bytes of the connection.</summary>
    public AccountCounters Traffic => new(InMessages, InBytes, Outbox.Messages, Outbox.MessageBytes, 0);

    /// <summary>Messages received.</summary>
    public long InMessages => Volatile.Read(ref _inMessages);

    /// <summary>Header and payload bytes received.</summary>
    public long InBytes => Volatile.Read(ref _inBytes);

    /// <summary>When something was last received, as a timestamp of the broker's clock.</summary>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    /// <summary>Completes when the session has ended and is removed.</summary>
    public Task Ended => _ended.Task;

    /// <inheritdoc/>
    public override PeerKind Kind => PeerKind.LeafNode;

    /// <inheritdoc/>
    public override Outbox Outbox => Connection.Outbox;

    /// <inheritdoc/>
    public override bool IsSpoke => Remote is null ? ConnectInfo is { IsHub: true } : !Remote.Options.Hub;

    /// <inheritdoc/>
    public override bool IsIsolated => IsIsolatedByUs || ConnectInfo is { Isolate: true };

    /// <inheritdoc/>
    public override bool TakesHeaders => _takesHeaders;

    /// <inheritdoc/>
    public override bool TakesTraces => (Remote is null ? ConnectInfo?.Protocol : SolicitedProtocol) >= PeerSessions.TracingProtocol;

    /// <summary>The protocol of a hub, from its INFO.</summary>
    public int SolicitedProtocol { get; set; }

    /// <inheritdoc/>
    public override TraceConnection Traced => new(TraceConnection.LeafNode, Id, ServerName);

    /// <inheritdoc/>
    public override string TracedAccount => Account.Name;

    /// <inheritdoc/>
    public override byte[] Cluster => _cluster;

    /// <inheritdoc/>
    public string? UserName => User?.Name;

    /// <inheritdoc/>
    public string AccountName => Account.Name;

    /// <inheritdoc/>
    public PermissionOptions? Permissions => User?.Permissions?.Options;

    /// <inheritdoc/>
    public ClientInfo Details => new(RemoteAddress, ServerName, null, ConnectInfo?.Version, StartedAt, RoundTrip);

    /// <summary>Whether the first INFO of a solicited connection was received.</summary>
    public bool HasInfo { get; set; }

    /// <summary>Whether the connection is closed.</summary>
    public bool HasEnded => Volatile.Read(ref _hasEnded) != 0;

    /// <summary>Whether the handshake with the other server has completed.</summary>
    public bool IsConnected { get; private set; }

    private bool IsIsolatedByUs { get; }

    private bool IsEnding => Volatile.Read(ref _end) != 0;

    /// <summary>Begins the handshake and starts reading.</summary>
    /// <param name="sendsInfo">Whether an accepted connection sends INFO now; else its TLS handshake comes first.</param>
    public void Start(bool sendsInfo = true)
    {
        Context.Registry.Add(this);
        if (Remote is null && sendsInfo) SendFirstInfo();
        LeafLog.Created(Context.Logger, Name, Remote is null ? "" : $" for account: {Account.Name}");
        // The timeout of a TLS handshake is separate.
        if (Remote is not null) AwaitNext(Remote.Options.FirstInfoTimeout, ClosedState.StaleConnection, null);
        else if (Connection is not TlsConnection) AwaitConnect();
        Connection.Start(this);
    }

    /// <summary>Sends the INFO that an accepted connection begins with.</summary>
    public void SendFirstInfo() => Connection.Outbox.Send(Context.RenderInfo(this, account: false));

    /// <summary>Starts the timeout for the other server's CONNECT.</summary>
    public void AwaitConnect() => AwaitNext(Context.Options.AuthTimeout, ClosedState.AuthenticationTimeout, "Authentication Timeout");

    /// <summary>Starts the timeout for the other server's next step of the handshake.</summary>
    public void AwaitNext(TimeSpan timeout, ClosedState end, string? error) => _timer.Await(timeout, end, error);

    /// <inheritdoc/>
    public override bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo) => Volatile.Read(ref _permissions).MaySend(subject, replyTo);

    /// <summary>Whether interest in a subject may be sent.</summary>
    public bool MayReceiveInterest(ReadOnlySpan<byte> subject) => Volatile.Read(ref _permissions).MayReceiveInterest(subject);

    /// <summary>What may cross in each direction.</summary>
    public LeafPermissions Crossing => Volatile.Read(ref _permissions);

    /// <summary>Sends frames. From any thread.</summary>
    public void Send(ReadOnlySpan<byte> frames) => PeerSessions.Send(Context.Sessions, this, Connection.Outbox, frames);

    /// <summary>Handles a PONG.</summary>
    public void PongReceived()
    {
        _timer.PongReceived();
        Compression.Measured(RoundTrip);
    }

    /// <summary>Stores the CONNECT and the user of an accepted connection.</summary>
    public void Accept(LeafConnectInfo connect, User user)
    {
        (ConnectInfo, User, Account) = (connect, user, user.Account);
        Identify(connect.Name, connect.Domain, connect.Cluster, Context.Sessions.SupportsHeaders && connect.Headers);
        RemoteAccountName = connect.RemoteAccount ?? "";
        if (!Compression.IsChosen) Compression.Decline(connect.Compression);
        SetPermissions(LeafPermissions.OfAccepted(this, Context));
        _timer.EndAt(user.EndsAt);
    }

    /// <summary>Stores the other server's identification.</summary>
    public void Identify(string? name, string? domain, string? cluster, bool takesHeaders)
    {
        (ServerName, Domain, _takesHeaders) = (name ?? "", domain ?? "", takesHeaders);
        _cluster = Encoding.UTF8.GetBytes(cluster ?? "");
    }

    /// <summary>Replaces the permissions of the connection.</summary>
    public void SetPermissions(LeafPermissions permissions) => Volatile.Write(ref _permissions, permissions);

    /// <summary>Joins the account: sends its interest, and accepts the other server's. Called while a frame is handled.</summary>
    /// <returns>False when the session ends instead.</returns>
    public bool TryRegister(SendBatch batch)
    {
        LeafSession? duplicate;
        bool isRegistered;
        lock (_gate)
        {
            if (_hasLeft) return false;
            // The frames that the batch holds for the other server are sent first.
            Connection.Outbox.LaneOf(batch).Submit();
            isRegistered = Context.Registry.TryRegister(this, out duplicate);
            if (isRegistered)
            {
                IsConnected = true;
                ApplyLimits();
                _timer.StartPings();
                _interest = new LeafInterestMap(this);
                Account.Interest.Attach(_interest);
            }
        }
        if (!isRegistered)
        {
            End(ClosedState.MaxAccountConnectionsExceeded, "maximum account active connections exceeded", batch);
            return false;
        }
        Context.Sessions.Events?.Connected(Account, () => LeafInfoMapper.ReadForEvent(this));
        if (duplicate is not null)
        {
            LeafLog.Replacing(Context.Logger, Name);
            duplicate.End(ClosedState.ClientClosed, "Duplicate Remote LeafNode Connection");
        }
        LeafLog.Domains(this);
        return true;
    }

    /// <summary>Whether a message may be received; see <see cref="LeafPermissions.MayReceive"/>.</summary>
    public bool MayReceive(ReadOnlySpan<byte> subject) => Volatile.Read(ref _permissions).MayReceive(subject);

    /// <summary>Encrypts the connection once all received bytes are consumed. Called while a frame is handled.</summary>
    /// <param name="upgrade">Starts the encrypted connection.</param>
    public void UpgradeThen(Action<SendBatch> upgrade) => _upgrade = upgrade;

    /// <summary>Continues on another connection.</summary>
    public void Replace(Connection connection)
    {
        Connection = connection;
        PrepareOutbox();
    }

    /// <summary>Ends the session after its pending bytes were sent, with an error if there is one. From any thread.</summary>
    public void End(ClosedState end, string? error, SendBatch? batch = null)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        if (batch is not null) Connection.Outbox.LaneOf(batch).Submit();
        if (error is not null)
        {
            LeafLog.Problem(Context.Logger, Name, error);
            Connection.Outbox.Send(Encoding.UTF8.GetBytes($"-ERR '{error}'\r\n"));
        }
        Connection.CloseAfterSending();
    }

    /// <summary>Ends the session and delays the next attempt, if it was solicited.</summary>
    public void EndAndWait(TimeSpan delay, ClosedState end, string? error, SendBatch? batch)
    {
        Remote?.DelayNext(delay);
        End(end, error, batch);
    }

    /// <summary>Stops handling frames while a CONNECT is checked elsewhere; received bytes are kept. Called while that frame is handled.</summary>
    /// <param name="work">Runs on the pool; must not throw.</param>
    /// <param name="resume">Called with a batch when the work is done, before the kept frames are handled.</param>
    /// <param name="batch">The batch of the frame.</param>
    public void RunOffLoop<TResult>(Func<ValueTask<TResult>> work, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = true;
        batch.RequestYield();
        Connection.PauseReading();
        _upgrade = later =>
        {
            _ = Task.Run(async () =>
            {
                var result = await work().ConfigureAwait(false);
                Context.Sessions.Batches.Run((this, result, resume), static (state, next) => state.Item1.Resume(state.result, state.resume, next));
                Connection.ResumeReading();
            });
        };
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        Volatile.Write(ref _lastActivity, Context.Time.GetTimestamp());
        neededBytes = 0;
        if (_deferredInput is { } kept)
        {
            byte[] joined = [.. kept, .. input];
            _deferredInput = null;
            var used = ReceiveFrames(joined, batch, out neededBytes);
            if (used < joined.Length && !_isDeferring) _deferredInput = joined[used..];
            return input.Length;
        }
        return ReceiveFrames(input, batch, out neededBytes);
    }

    /// <inheritdoc/>
    public void Closed(CloseReason reason, Exception? error)
    {
        var end = (ClosedState)Interlocked.CompareExchange(ref _end, (int)reason.ToClosedState(), 0);
        if (end == 0) end = reason.ToClosedState();
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0) return;
        _timer.Stop();
        if (error is InvalidDataException) LeafLog.Problem(Context.Logger, Name, error.Message);
        if (reason == CloseReason.ReceiverFault) LeafLog.Fault(Context.Logger, Name, error);
        if (reason == CloseReason.TlsHandshakeFailed) LeafLog.Problem(Context.Logger, Name, $"TLS leafnode handshake error: {error?.InnerException?.Message ?? error?.Message}");
        Context.Sessions.Cleanup.Remove(Account, User?.Name, Subscriptions.Count, () => Unregister(end));
    }

    private void PrepareOutbox() => PeerSessions.Limit(Connection.Outbox, Context.Sessions.Options, Context.Options.WriteDeadline, Context.Options.WriteTimeout);

    // The lowest of the limits of the broker, the account and the user.
    private void ApplyLimits()
    {
        var options = Context.Sessions.Options;
        (_parser.IsTrusted, _parser.MaxPayloadBytes) = (true, SessionContext.Lower(options.MaxPayloadBytes, SessionReload.MaxPayloadOf(User, Account)));
        MaxSubscriptions = SessionContext.Lower(options.MaxSubscriptions <= 0 ? -1 : options.MaxSubscriptions, SessionReload.MaxSubscriptionsOf(User, Account));
    }

    private int ReceiveFrames(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
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
                PeerSessions.Reject(this, _parser.Error, _parser.Problem, batch, Remote is null || HasInfo ? [] : rest);
                break;
            }
            if ((++frames & (FramesPerLook - 1)) == 0) batch.LookAtClock();
            if (frame.Kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders && IsConnected) Publish(in frame, batch);
            else LeafFrameHandler.Handle(this, in frame, batch);
            if (_upgrade is not null) return Switch(rest, input.Length, batch);
        }
        return IsEnding || Connection.IsClosed ? input.Length : input.Length - rest.Length;
    }

    // The bytes after this frame are kept until then, or dropped with the connection.
    private int Switch(ReadOnlySpan<byte> rest, int length, SendBatch batch)
    {
        var next = _upgrade!;
        _upgrade = null;
        if (_isDeferring)
        {
            _deferredInput = rest.ToArray();
        }
        else if (rest.Length > 0)
        {
            End(ClosedState.TlsHandshakeError, null);
            LeafLog.Problem(Context.Logger, Name, $"the remote sent {rest.Length} bytes between INFO and the TLS handshake");
            return length;
        }
        // Only now: the work may complete, and take the kept bytes, before this method returns.
        next(batch);
        return length;
    }

    private void Resume<TResult>(TResult result, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = false;
        var kept = _deferredInput ?? [];
        _deferredInput = null;
        try
        {
            resume(result, batch);
            var consumed = ReceiveFrames(kept, batch, out _);
            if (consumed < kept.Length) _deferredInput = kept[consumed..];
        }
        catch (Exception error)
        {
            // A defect: end the connection here.
            LeafLog.Fault(Context.Logger, Name, error);
            batch.DropIncomplete();
            End(ClosedState.ProtocolViolation, null);
        }
    }

    private void Publish(scoped in PeerFrame frame, SendBatch batch)
    {
        _inMessages++;
        _inBytes += frame.Headers.Length + frame.Payload.Length;
        if (MayReceive(frame.Subject)) LeafPublish.Publish(this, in frame, batch);
        else LeafFrameHandler.RejectMessage(this, frame.Subject, batch);
    }

    private void Unregister(ClosedState end)
    {
        lock (_gate)
        {
            _hasLeft = true;
            if (_interest is { } interest) Account.Interest.Detach(interest);
        }
        var last = LeafInfoMapper.ReadLast(this, end);
        InterestBatch.Remove(Subscriptions.Clear(), Context.Sessions.Batches, subscription =>
        {
            subscription.Leave(Account.Subscriptions);
            Imported.Remove(subscription);
            Account.InterestLost(subscription.SubjectBytes);
        });
        LeafLog.Closed(Context.Logger, Name, end.ToText(), IsRegistered ? $" - Account: {Account.Name}" : "");
        Context.Sessions.Sessions.CountPeer(end, isLeafNode: true);
        Context.Registry.Remove(this, isSlow: end.IsSlowConsumer());
        LeafInfoMapper.Ended(this, last);
        _ended.TrySetResult();
    }
}
