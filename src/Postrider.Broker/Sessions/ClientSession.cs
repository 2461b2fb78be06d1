// Hot path: EpollLoop, ReceiveBuffer -> this -> FrameParser, Router. Allocations: none per message.
using System.Buffers;
using System.Net;
using System.Runtime.CompilerServices;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>The broker's side of one client's connection: reads and handles its frames.</summary>
/// <remarks>
/// Frames are handled by one thread at a time. Timers, other clients' deliveries and monitoring run on other
/// threads and only touch thread-safe parts: the outbox, the subscription table and single words.
/// </remarks>
internal sealed class ClientSession : IReceiver, ISubscriber, IPublishingClient, IMappedPublisher
{
    // Publishes with few recipients between two checks of the clock: a few microseconds, or a hundred if each subject is a new one.
    private const int FramesPerLook = 64;

    private readonly string _origin;
    private readonly SessionContext _context;
    private readonly SessionTimer _timer;
    private readonly SessionHandshake? _handshake;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CachedMatch _cachedMatch;

    // Whether the subject or the reply of the last publish may be reserved: $..., _GR_..., _R_...; also valid for its repeats.
    private bool _mayBeReserved;
    private FrameParser _parser = new(FrameKind.FromClient);
    private byte[]? _deferredInput;
    private PendingReload? _change;
    private Func<Task>? _deferredWork;
    private ImportedSubscriptions? _imported;
    private bool _isDeferring;
    private int _end;
    private int _hasEnded;
    private long _inMessages;
    private long _inBytes;
    private long _lastActivity;

    public ClientSession(Connection connection, SessionContext context, SessionHandshake? handshake = null, WebSocketHandshake? webSocket = null)
    {
        (Connection, _handshake, _context, WebSocket) = (connection, handshake, context, webSocket);
        State = new SessionState(context.Accounts.Global);
        Membership = new AccountMembership(State.Account, countsAtOnce: !Authenticator.IsRequired);
        Id = context.NextId();
        Nonce = context.CreateNonce();
        StartedAt = context.Time.GetUtcNow();
        _lastActivity = context.Time.GetTimestamp();
        if (connection.RemoteEndPoint is IPEndPoint remote)
        {
            Address = remote.Address.IsIPv4MappedToIPv6 ? remote.Address.MapToIPv4() : remote.Address;
            RemoteAddress = Address.ToString();
            RemotePort = remote.Port;
        }
        _origin = webSocket is null ? $"{WebSocketHandshake.AddressText(connection.RemoteEndPoint)} - cid:{Id}" : webSocket.NameOf(Id);
        // A client that has closed its sending direction still receives the responses to what it sent.
        connection.DrainOnHalfClose = true;
        ApplyLimits();
        _parser.RefusesHeaders = true;
        _timer = new SessionTimer(this, context);
    }

    /// <inheritdoc cref="ISubscriber.Id"/>
    public ulong Id { get; }

    /// <summary>The connection.</summary>
    public Connection Connection { get; }

    /// <summary>The connection once it is encrypted; null before and without TLS.</summary>
    public TlsConnection? Tls => TlsConnection.Of(Connection) is { IsSecure: true } tls ? tls : null;

    /// <summary>The handshake of a client over a WebSocket; null for others.</summary>
    public WebSocketHandshake? WebSocket { get; }

    /// <summary>The authenticator of the client; replaced by a reload.</summary>
    public Authenticator Authenticator => WebSocket is null ? _context.Authenticator : _context.WebSocket!.Authenticator;

    /// <summary>Why the session ends; if no reason was set, the broker stops.</summary>
    public ClosedState EndState => Volatile.Read(ref _end) is var end and not 0 ? (ClosedState)end : ClosedState.ServerShutdown;

    /// <summary>Whether the TLS handshake came before INFO.</summary>
    public bool TlsCameFirst => _handshake is { CameFirst: true };

    /// <summary>When the connection was accepted.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>The session in log lines.</summary>
    public string Name => State.LabelOf(_origin);

    /// <summary>The client's CONNECT, user and permissions.</summary>
    public SessionState State { get; }

    /// <summary>The client's subscriptions.</summary>
    public SubscriptionTable Subscriptions { get; } = new();

    /// <summary>The client's subscriptions in other accounts; null as long as there were none.</summary>
    public ImportedSubscriptions? Imported => Volatile.Read(ref _imported);

    /// <summary>Counts the session among its account's connections.</summary>
    public AccountMembership Membership { get; }

    /// <summary>The state shared by all sessions.</summary>
    public SessionContext Context => _context;

    /// <summary>The client's address as text; null in the same process.</summary>
    public string? RemoteAddress { get; }

    /// <summary>The client's address; null in the same process.</summary>
    public IPAddress? Address { get; }

    /// <summary>The nonce of this connection; empty when there are no users that sign it.</summary>
    public string Nonce { get; }

    /// <summary>The client's port; 0 in the same process.</summary>
    public int RemotePort { get; }

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip => _timer.RoundTrip;

    /// <summary>Messages received.</summary>
    public long InMessages => Volatile.Read(ref _inMessages);

    /// <summary>Header and payload bytes received.</summary>
    public long InBytes => Volatile.Read(ref _inBytes);

    /// <summary>Completes when the session has ended and is removed.</summary>
    public Task Ended => _ended.Task;

    /// <summary>When the client last sent something, as a timestamp of the broker's clock.</summary>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    /// <inheritdoc/>
    public string? UserName => State.User?.Name;

    /// <inheritdoc/>
    public string AccountName => State.Account.Name;

    /// <inheritdoc/>
    public PermissionOptions? Permissions => State.User?.Permissions?.Options;

    /// <inheritdoc/>
    public ClientInfo Details => State.Describe(RemoteAddress, StartedAt, RoundTrip, WebSocket is null ? "nats" : "websocket");

    /// <summary>The connection type that users can be restricted to.</summary>
    public string ConnectionType => WebSocket is not null ? ConnectionTypes.WebSocket : RemoteAddress is null ? ConnectionTypes.InProcess : ConnectionTypes.Standard;

    private bool IsEnding => Volatile.Read(ref _end) != 0;

    /// <summary>Sends INFO and starts reading.</summary>
    public void Start()
    {
        if (_handshake is null) SendFirstInfo();
        else _handshake.SendFirstInfo();
        SessionLog.Created(_context.Logger, Name);
        if (!_context.Sessions.TryAdd(this, _context.Options.MaxConnections))
        {
            End(ClosedState.MaxConnectionsExceeded, "maximum connections exceeded");
            return;
        }
        if (_handshake is null) StartTimers();
        else _handshake.Begin();
        Connection.Start(this);
    }

    /// <summary>Sends the first INFO of the connection.</summary>
    public void SendFirstInfo() => Connection.Outbox.Send(_context.RenderInfo(this, null, Nonce));

    /// <summary>Starts to wait for CONNECT and to send PINGs. Called after the TLS handshake, if there is one.</summary>
    public void StartTimers() => _timer.Start(Authenticator.IsRequired);

    /// <summary>Writes INFO for this client.</summary>
    /// <param name="account">The account; null before CONNECT.</param>
    public byte[] RenderInfo(Account? account) => _context.RenderInfo(this, account, nonce: "");

    /// <summary>The credentials of this connection.</summary>
    /// <param name="connect">Its CONNECT.</param>
    public AuthenticationRequest CreateAuthenticationRequest(ConnectInfo connect) => new(connect, Tls?.RemoteCertificate, Nonce, ConnectionType);

    // Not inlined: inside the engine's try block its locals would live on the stack (twice the time per publish).
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        Volatile.Write(ref _lastActivity, _context.Time.GetTimestamp());
        if (_change is not null) ApplyReload();
        if (_deferredInput is not null) return ReceiveWhileDeferred(input, batch, out neededBytes);
        var rest = input;
        var frames = 0;
        // No more frames are handled for a client that is cut off while its own messages are delivered back to it.
        while (!IsEnding && !batch.ShouldYield && !Connection.IsClosed)
        {
            if (!State.ConnectReceived && !MayBegin(rest, batch)) break;
            var status = _parser.TryRead(ref rest, out var frame);
            if (status == OperationStatus.NeedMoreData)
            {
                neededBytes = _parser.NeededBytes;
                return input.Length - rest.Length;
            }
            if (status == OperationStatus.InvalidData)
            {
                ControlFrameHandler.Reject(this, _parser.Error, rest, batch);
                break;
            }
            if ((++frames & (FramesPerLook - 1)) == 0) batch.LookAtClock();
            if (frame.Kind is not (FrameKind.Publish or FrameKind.PublishWithHeaders)) ControlFrameHandler.Handle(this, in frame, batch);
            else if (frame.Kind == FrameKind.Publish || !TraceRequest.MayBeIn(frame.Headers, State.Account.TracesParents) || !TryTrace(in frame, batch)) Publish(in frame, batch);
        }
        neededBytes = 0;
        if (_isDeferring)
        {
            _deferredInput = rest.ToArray();
            // Only now: the work may complete, and take the kept bytes, before this method returns.
            _ = Task.Run(_deferredWork!);
            return input.Length;
        }
        return IsEnding || Connection.IsClosed ? input.Length : input.Length - rest.Length;
    }

    /// <inheritdoc/>
    public void Closed(CloseReason reason, Exception? error)
    {
        var end = (ClosedState)Interlocked.CompareExchange(ref _end, (int)reason.ToClosedState(), 0);
        if (end == 0) end = reason.ToClosedState();
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0) return;
        if (reason == CloseReason.TlsHandshakeFailed) _handshake?.Failed(error);
        SessionLog.Ended(this, end, reason, error);
        _timer.Stop();
        // The thread that closed it serves other connections: very many subscriptions are removed by another thread.
        _context.Cleanup.Remove(State.Account, UserName, Subscriptions.Count, () => Unregister(end));
    }

    /// <inheritdoc/>
    public bool IsDenied(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
        => (Volatile.Read(ref _change)?.User ?? State.User)?.Permissions?.Subscribe?.DeniesDelivery(subject, queueGroup) == true;

    /// <inheritdoc/>
    public void AllowReply(ReadOnlySpan<byte> replyTo) => State.ReplyPermissions?.Add(replyTo);

    /// <inheritdoc/>
    public void OnLastDelivered(Subscription subscription, SendBatch batch)
    {
        if (Subscriptions.Remove(subscription)) Detach(subscription);
    }

    /// <inheritdoc/>
    public void PublishMapped(scoped in Frame frame, SendBatch batch)
    {
        CachedMatch none = default;
        PublishAllowed(in frame, ref none, batch);
    }

    /// <summary>Removes a subscription from the account.</summary>
    public void Detach(Subscription subscription)
    {
        Leave(subscription);
        // After it was marked as closed: a thread that imports it meanwhile sees the mark, or its import is found here.
        Imported?.Remove(subscription);
        State.Account.InterestLost(subscription.SubjectBytes);
    }

    /// <summary>Subscribes in the accounts that the account imports from, as far as a subscription covers the imports.</summary>
    public void Import(Subscription subscription)
    {
        if (Imported is null) Interlocked.CompareExchange(ref _imported, new ImportedSubscriptions(), null);
        Imported!.Update(subscription, State.Account);
    }

    /// <summary>Authenticates as a user and joins its account. Called while a frame is handled.</summary>
    /// <returns>False when the account has reached its maximum number of connections: the session then ends with an error.</returns>
    public bool TryAuthenticate(User user, SendBatch batch)
    {
        if (!Membership.TryMove(user.Account))
        {
            const string Error = "maximum account active connections exceeded";
            if (!IsEnding) SessionLog.Problem(_context.Logger, Name, Error);
            EndInBatch(ClosedState.MaxAccountConnectionsExceeded, Error, batch);
            return false;
        }
        State.Authenticate(user, _context.Time);
        if (!string.IsNullOrEmpty(user.Name)) Connection.ShareTurns(HashCode.Combine(user.Account, user.Name));
        ApplyLimits();
        _timer.EndAt(user.EndsAt);
        if (user.Account.Definition.MaxSubscriptions != 0 && user.MaxSubscriptions != 0) return true;
        const string NoSubscriptions = "maximum subscriptions exceeded";
        SessionLog.Problem(_context.Logger, Name, NoSubscriptions);
        EndInBatch(ClosedState.MaxSubscriptionsExceeded, NoSubscriptions, batch);
        return false;
    }

    /// <summary>Ends the session after its pending bytes were sent, with an error if there is one. From any thread.</summary>
    public void End(ClosedState end, string? error)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        if (error is not null) Connection.Outbox.Send(RenderError(error));
        Connection.CloseAfterSending();
    }

    /// <summary>Ends the session as <see cref="End"/> does, after the frames that the batch holds for the client.</summary>
    public void EndInBatch(ClosedState end, string? error, SendBatch batch)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        var lane = Connection.Outbox.LaneOf(batch);
        if (error is not null) lane.Write(RenderError(error));
        lane.Submit();
        Connection.CloseAfterSending();
    }

    /// <summary>Writes control bytes after the messages that the client's own frames caused.</summary>
    public void Reply(ReadOnlySpan<byte> bytes, SendBatch batch)
    {
        var lane = Connection.Outbox.LaneOf(batch);
        lane.Write(bytes);
        lane.CompleteMessage();
        _context.Trace?.Out(Name, bytes);
    }

    /// <summary>Writes an error that does not end the session.</summary>
    public void ReplyError(string error, SendBatch batch) => Reply(RenderError(error), batch);

    /// <summary>Sends INFO to a client that supports it at any time.</summary>
    public void SendInfo()
    {
        if (State.TakesInfo) Connection.Outbox.Send(RenderInfo(null));
    }

    /// <summary>Has the session apply changed options before it reads on. From any thread.</summary>
    /// <param name="change">Replaces an earlier one that was not applied yet, but for its user if it has none itself.</param>
    public void RequestReload(PendingReload change)
    {
        var before = Volatile.Read(ref _change);
        while (Interlocked.CompareExchange(ref _change, change with { User = change.User ?? before?.User }, before) is var found && !ReferenceEquals(found, before)) before = found;
    }

    /// <summary>Applies the changes that were requested. Called while no frame, or a SUB, is handled.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void ApplyReload()
    {
        while (Volatile.Read(ref _change) is { } change)
        {
            if (change.User is { } user)
            {
                State.Authenticate(user, _context.Time);
                // Removes what was subscribed to while the change was pending.
                SessionReload.Sweep(this, user);
                _timer.EndAt(user.EndsAt);
            }
            ApplyLimits();
            State.Refresh(_context.Trace is not null);
            // Deliveries use the rules of the change until it is removed here.
            Interlocked.CompareExchange(ref _change, null, change);
        }
    }

    /// <summary>Handles a PONG.</summary>
    public void PongReceived() => _timer.PongReceived();

    /// <summary>Stops waiting for CONNECT, starts PINGs, and enables headers if they were negotiated.</summary>
    public void ConnectAccepted()
    {
        _parser.RefusesHeaders = !State.Headers;
        _timer.StartPings();
    }

    /// <summary>Stops handling frames while a CONNECT is checked elsewhere; received bytes are kept. Called while that frame is handled.</summary>
    /// <param name="work">Runs on the pool; must not throw.</param>
    /// <param name="resume">Called with a batch when the work is done, before the kept frames are handled.</param>
    /// <param name="batch">The batch of the frame.</param>
    public void RunOffLoop<TResult>(Func<ValueTask<TResult>> work, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = true;
        batch.RequestYield();
        _timer.ConnectReceived();
        Connection.PauseReading();
        _deferredWork = async () =>
        {
            var result = await work().ConfigureAwait(false);
            _context.Batches.Run((this, result, resume), static (state, batch) => state.Item1.Resume(state.result, state.resume, batch));
            Connection.ResumeReading();
        };
    }

    private void Leave(Subscription subscription)
    {
        if (subscription.Leave(State.Account.Subscriptions)) return;
        // Its last message was delivered while its client moved to another account.
        foreach (var account in State.EarlierAccounts)
            if (subscription.Leave(account.Subscriptions)) return;
    }

    private void Unregister(ClosedState end)
    {
        var state = SessionInfoMapper.Read(this, withSubscriptions: false) with
        {
            Subscriptions = SessionInfoMapper.ReadSubscriptions(this, _context.Sessions),
            StoppedAt = _context.Time.GetUtcNow(),
            CloseReason = end.ToText(),
        };
        InterestBatch.Remove(Subscriptions.Clear(forGood: true), _context.Batches, Detach);
        SessionLog.Closed(_context.Logger, Name, end.ToText());
        _context.Sessions.Remove(this, end, state, _context.Options.MaxClosedClients);
        _context.Events?.Disconnected(State.Account, () => SessionInfoMapper.ReadForEvent(this, state));
        _ended.TrySetResult();
    }

    private void ApplyLimits()
    {
        var options = _context.Options;
        var outbox = Connection.Outbox;
        outbox.MaxPendingBytes = options.MaxPendingBytes;
        outbox.WriteDeadline = options.WriteDeadline;
        outbox.StallsProducers = !options.NoFastProducerStall;
        _parser.MaxLineBytes = options.MaxControlLineBytes;
        _parser.MaxPayloadBytes = SessionContext.Lower(options.MaxPayloadBytes, SessionReload.MaxPayloadOf(State.User, State.Account));
        State.MaxSubscriptions = SessionContext.Lower(
            options.MaxSubscriptions is 0 or -1 ? -1 : Math.Max(options.MaxSubscriptions, 0), SessionReload.MaxSubscriptionsOf(State.User, State.Account));
    }

    private void Resume<TResult>(TResult result, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = false;
        var kept = Interlocked.Exchange(ref _deferredInput, null) ?? [];
        resume(result, batch);
        var consumed = Receive(kept, batch, out _);
        // Reading is still paused: an incomplete frame, or the rest after a long turn, waits here for the next turn.
        if (consumed < kept.Length) _deferredInput = kept[consumed..];
    }

    private int ReceiveWhileDeferred(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        byte[] joined = [.. _deferredInput!, .. input];
        _deferredInput = null;
        var consumed = Receive(joined, batch, out neededBytes);
        if (consumed < joined.Length) _deferredInput = joined[consumed..];
        return input.Length;
    }

    private bool TryTrace(scoped in Frame frame, SendBatch batch)
    {
        if (_context.Tracer?.TryPublish(this, in frame, batch) != true) return false;
        // The next publish may repeat the subject without a trace.
        (_inMessages, _inBytes, _cachedMatch, _mayBeReserved) = (_inMessages + 1, _inBytes + frame.TotalBytes, default, true);
        return true;
    }

    private void Publish(scoped in Frame frame, SendBatch batch)
    {
        _inMessages++;
        _inBytes += frame.TotalBytes;
        var state = State;
        if (!frame.IsRepeat)
        {
            _cachedMatch.Clear();
            _mayBeReserved = PublishAuthorization.MayBeReserved(frame.Subject) || PublishAuthorization.MayBeReserved(frame.ReplyTo);
        }
        if (state.RequiresSlowPath || _mayBeReserved)
        {
            PublishSlowly(in frame, batch);
            return;
        }
        if (Router.Publish(state.Account.Subscriptions, in frame, ref _cachedMatch, this, batch) || !state.NoResponders || frame.ReplyTo.IsEmpty) return;
        PublishAuthorization.ReplyNoResponders(this, frame.Subject, frame.ReplyTo, batch);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PublishSlowly(scoped in Frame frame, SendBatch batch)
    {
        if (_context.Trace is { } trace) trace.InMessage(Name, frame.Bytes);
        if (State.Account.Mappings?.Map(frame.Subject, batch.Random) is not { } mapped) PublishAllowed(in frame, ref _cachedMatch, batch);
        else if (mapped.Length == 0) PublishAuthorization.Lose(this, in frame, batch);
        else MappedPublish.Publish(this, in frame, mapped, batch);
    }

    private void PublishAllowed(scoped in Frame frame, ref CachedMatch cached, SendBatch batch)
    {
        if (!PublishAuthorization.Allow(this, in frame, batch)) return;
        if (Router.Publish(State.Account.Subscriptions, in frame, ref cached, this, batch) || !State.NoResponders || frame.ReplyTo.IsEmpty) return;
        PublishAuthorization.ReplyNoResponders(this, frame.Subject, frame.ReplyTo, batch);
    }

    // A client that must authenticate may only begin with CONNECT.
    private bool MayBegin(ReadOnlySpan<byte> rest, SendBatch batch)
    {
        var authenticator = Authenticator;
        if (rest.IsEmpty || !authenticator.IsRequired || (rest[0] | 0x20) == 'c') return true;
        if (authenticator.Callout is not null || authenticator.FindWithoutCredentials(ConnectionType) is not { } user)
        {
            SessionReload.Dismiss(this);
            return false;
        }
        if (!TryAuthenticate(user, batch)) return false;
        _timer.StartPings();
        return State.ConnectReceived = true;
    }

    private static byte[] RenderError(string error) => System.Text.Encoding.UTF8.GetBytes($"-ERR '{error}'\r\n");
}
