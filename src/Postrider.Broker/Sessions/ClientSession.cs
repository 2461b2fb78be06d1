// Hot path: EpollLoop, ReceiveBuffer -> this -> FrameParser, Router. Allocations: none per message.
using System.Buffers;
using System.Net;
using System.Runtime.CompilerServices;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>One client's side of the protocol: reads its frames and does what they ask.</summary>
/// <remarks>
/// Frames are handled by one thread at a time. Timers, other clients' deliveries and monitoring come from other
/// threads and touch only what is thread-safe: the outbox, the subscription table and single words.
/// </remarks>
internal sealed class ClientSession : IReceiver, ISubscriber, IPublishingClient
{
    // Publishes to few, between two looks at the clock: a few microseconds of them, or a hundred where each subject is a new one.
    private const int FramesPerLook = 64;

    // Subscriptions that are removed on the thread that closes the connection: about a quarter of a millisecond.
    private const int DetachedAtOnce = 256;

    private readonly SessionContext _context;
    private readonly SessionTimer _timer;
    private readonly string? _remoteAddress;
    private readonly int _remotePort;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CachedMatch _cachedMatch;

    // Whether the subject or the reply of the last publish may be reserved: $..., _GR_..., _R_...; holds for its repeats.
    private bool _mayBeReserved;
    private FrameParser _parser = new(FrameKind.FromClient);
    private byte[]? _deferredInput;
    private PendingReload? _change;
    private Action? _deferredWork;
    private bool _isDeferring;
    private int _end;
    private int _hasEnded;
    private long _inMessages;
    private long _inBytes;
    private long _lastActivity;

    public ClientSession(Connection connection, SessionContext context)
    {
        Connection = connection;
        _context = context;
        State = new SessionState(context.Account);
        Id = context.NextId();
        StartedAt = context.Time.GetUtcNow();
        _lastActivity = context.Time.GetTimestamp();
        if (connection.RemoteEndPoint is IPEndPoint remote)
        {
            _remoteAddress = remote.Address.IsIPv4MappedToIPv6 ? remote.Address.MapToIPv4().ToString() : remote.Address.ToString();
            _remotePort = remote.Port;
        }
        Name = _remoteAddress is null ? $"pipe - cid:{Id}" : $"{_remoteAddress}:{_remotePort} - cid:{Id}";
        // A client that has sent its last and ended its direction still gets what it asked for.
        connection.DrainOnHalfClose = true;
        ApplyLimits();
        _parser.RefusesHeaders = true;
        _timer = new SessionTimer(this, context);
    }

    /// <inheritdoc cref="ISubscriber.Id"/>
    public ulong Id { get; }

    /// <summary>The connection.</summary>
    public Connection Connection { get; }

    /// <summary>When the connection was accepted.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>The session in log lines.</summary>
    public string Name { get; }

    /// <summary>What the client said and may do.</summary>
    public SessionState State { get; }

    /// <summary>The client's subscriptions.</summary>
    public SubscriptionTable Subscriptions { get; } = new();

    /// <summary>What all sessions share.</summary>
    public SessionContext Context => _context;

    /// <summary>The client's address; null in the same process.</summary>
    public string? RemoteAddress => _remoteAddress;

    /// <summary>The client's port; 0 in the same process.</summary>
    public int RemotePort => _remotePort;

    /// <summary>Last time from PING to PONG; zero when none was measured.</summary>
    public TimeSpan RoundTrip => _timer.RoundTrip;

    /// <summary>Messages received.</summary>
    public long InMessages => Volatile.Read(ref _inMessages);

    /// <summary>Header and payload bytes received.</summary>
    public long InBytes => Volatile.Read(ref _inBytes);

    /// <summary>Completes when the session is over and forgotten.</summary>
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
    public ClientInfo Details => new(_remoteAddress, State.Connect?.Name, State.Connect?.Language, State.Connect?.Version, StartedAt, RoundTrip);

    private bool IsEnding => Volatile.Read(ref _end) != 0;

    /// <summary>Sends INFO and begins to read.</summary>
    public void Start()
    {
        Connection.Outbox.Send(_context.RenderInfo(Id, _remoteAddress, null));
        SessionLog.Created(_context.Logger, Name);
        if (!_context.Sessions.TryAdd(this, _context.Options.MaxConnections))
        {
            End(ClosedState.MaxConnectionsExceeded, "maximum connections exceeded");
            return;
        }
        _timer.Start(_context.Authenticator.IsRequired);
        Connection.Start(this);
    }

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
        // A client that is cut off while its own messages come back to it gets no more done.
        while (!IsEnding && !batch.ShouldYield && !Connection.IsClosed)
        {
            if (!State.ConnectReceived && !MayBegin(rest)) break;
            var status = _parser.TryRead(ref rest, out var frame);
            if (status == OperationStatus.NeedMoreData)
            {
                neededBytes = _parser.NeededBytes;
                return input.Length - rest.Length;
            }
            if (status == OperationStatus.InvalidData)
            {
                ControlFrameHandler.Reject(this, _parser.Error, batch);
                break;
            }
            if ((++frames & (FramesPerLook - 1)) == 0) batch.LookAtClock();
            if ((frame.Kind & (FrameKind.Publish | FrameKind.PublishWithHeaders)) != 0) Publish(in frame, batch);
            else ControlFrameHandler.Handle(this, in frame, batch);
        }
        neededBytes = 0;
        if (_isDeferring)
        {
            _deferredInput = rest.ToArray();
            // Only now: the work may be done, and the rest taken, before this method returns.
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
        if (reason == CloseReason.ReceiverFault) SessionLog.Fault(_context.Logger, Name, error);
        LogSlowConsumer(end);
        _timer.Stop();
        // The thread that closed it serves other connections: very many subscriptions are taken out by another one.
        if (Subscriptions.Count <= DetachedAtOnce) Unregister(end);
        else ThreadPool.UnsafeQueueUserWorkItem(static it => it.Session.Unregister(it.End), (Session: this, End: end), preferLocal: false);
    }

    /// <inheritdoc/>
    public bool IsDenied(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
        => State.User?.Permissions?.Subscribe?.DeniesDelivery(subject, queueGroup) == true;

    /// <inheritdoc/>
    public void AllowReply(ReadOnlySpan<byte> replyTo) => State.ReplyPermissions?.Add(replyTo);

    /// <inheritdoc/>
    public void OnLastDelivered(Subscription subscription, SendBatch batch)
    {
        if (Subscriptions.Remove(subscription)) Detach(subscription);
    }

    /// <summary>Takes a subscription out of the account.</summary>
    public void Detach(Subscription subscription) => subscription.Leave(State.Account.Subscriptions);

    /// <summary>Ends the session after what waits was sent, and an error if there is one. From any thread.</summary>
    public void End(ClosedState end, string? error)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        if (error is not null) Connection.Outbox.Send(RenderError(error));
        Connection.CloseAfterSending();
    }

    /// <summary>Ends the session as <see cref="End"/> does, behind what the batch holds for the client.</summary>
    public void EndInBatch(ClosedState end, string? error, SendBatch batch)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, 0) != 0) return;
        var lane = Connection.Outbox.LaneOf(batch);
        if (error is not null) lane.Write(RenderError(error));
        lane.Submit();
        Connection.CloseAfterSending();
    }

    /// <summary>Writes control bytes behind the messages that the client's own frames caused.</summary>
    public void Reply(ReadOnlySpan<byte> bytes, SendBatch batch)
    {
        var lane = Connection.Outbox.LaneOf(batch);
        lane.Write(bytes);
        lane.CompleteMessage();
        _context.Trace?.Out(Name, bytes);
    }

    /// <summary>Writes an error that does not end the session.</summary>
    public void ReplyError(string error, SendBatch batch) => Reply(RenderError(error), batch);

    /// <summary>Sends INFO to a client that understands it at any time.</summary>
    public void SendInfo()
    {
        if (State.TakesInfo) Connection.Outbox.Send(_context.RenderInfo(Id, _remoteAddress, null));
    }

    /// <summary>Lets the session take over changed options before it reads on. From any thread.</summary>
    /// <param name="change">Replaces an earlier one that was not taken yet.</param>
    public void RequestReload(PendingReload change) => Volatile.Write(ref _change, change);

    /// <summary>Notes a PONG.</summary>
    public void PongReceived() => _timer.PongReceived();

    /// <summary>Goes on from waiting for CONNECT to PINGs, and reads headers if they were agreed on.</summary>
    public void ConnectAccepted()
    {
        _parser.RefusesHeaders = !State.Headers;
        _timer.StartPings();
    }

    /// <summary>Stops handling frames while a CONNECT is checked elsewhere; what arrived is kept. While that frame is handled.</summary>
    /// <param name="work">Runs on the pool.</param>
    /// <param name="resume">Called with a batch when the work is done, before the kept frames are handled.</param>
    /// <param name="batch">The batch of the frame.</param>
    public void RunOffLoop<TResult>(Func<TResult> work, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = true;
        batch.RequestYield();
        _timer.ConnectReceived();
        Connection.PauseReading();
        _deferredWork = () =>
        {
            var result = work();
            _context.Batches.Run((this, result, resume), static (state, batch) => state.Item1.Resume(state.result, state.resume, batch));
            Connection.ResumeReading();
        };
    }

    private void Unregister(ClosedState end)
    {
        var state = SessionInfoMapper.Read(this, withSubscriptions: true) with
        {
            StoppedAt = _context.Time.GetUtcNow(),
            CloseReason = end.ToText(),
        };
        foreach (var subscription in Subscriptions.Clear(forGood: true)) Detach(subscription);
        SessionLog.Closed(_context.Logger, Name, end.ToText());
        _context.Sessions.Remove(this, end, state, _context.Options.MaxClosedClients);
        _ended.TrySetResult();
    }

    private void LogSlowConsumer(ClosedState end)
    {
        var outbox = Connection.Outbox;
        if (end == ClosedState.SlowConsumerPendingBytes)
            SessionLog.PendingExceeded(_context.Logger, Name, outbox.MaxPendingBytes);
        else if (end == ClosedState.SlowConsumerWriteDeadline)
            SessionLog.DeadlineExceeded(_context.Logger, Name, GoDuration.Format(outbox.WriteDeadline), outbox.UnsentPieces, outbox.UnsentBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ApplyReload()
    {
        if (Interlocked.Exchange(ref _change, null) is not { } change) return;
        ApplyLimits();
        if (change.User is { } user)
        {
            State.Authenticate(user, _context.Time);
            // What was subscribed to while the change was on its way.
            SessionReload.Sweep(this, user);
        }
        State.Refresh(_context.Trace is not null);
    }

    private void ApplyLimits()
    {
        var options = _context.Options;
        var outbox = Connection.Outbox;
        outbox.MaxPendingBytes = options.MaxPendingBytes;
        outbox.WriteDeadline = options.WriteDeadline;
        outbox.StallsProducers = !options.NoFastProducerStall;
        _parser.MaxLineBytes = options.MaxControlLineBytes;
        _parser.MaxPayloadBytes = options.MaxPayloadBytes;
    }

    private void Resume<TResult>(TResult result, Action<TResult, SendBatch> resume, SendBatch batch)
    {
        _isDeferring = false;
        var kept = _deferredInput ?? [];
        _deferredInput = null;
        resume(result, batch);
        var consumed = Receive(kept, batch, out _);
        // Reading is still paused: an incomplete frame, or what would be too much at once, waits here for the next turn.
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
        if ((state.RequiresSlowPath || _mayBeReserved) && !PublishAuthorization.Allow(this, in frame, batch)) return;
        if (Router.Publish(state.Account.Subscriptions, in frame, ref _cachedMatch, this, batch) || !state.NoResponders || frame.ReplyTo.IsEmpty) return;
        PublishAuthorization.ReplyNoResponders(this, frame.Subject, frame.ReplyTo, batch);
    }

    // A client that must say who it is may begin with nothing but CONNECT.
    private bool MayBegin(ReadOnlySpan<byte> rest)
    {
        if (rest.IsEmpty || !_context.Authenticator.IsRequired || (rest[0] | 0x20) == 'c') return true;
        if (_context.Authenticator.WithoutConnect is { } user)
        {
            State.Authenticate(user, _context.Time);
            State.ConnectReceived = true;
            _timer.StartPings();
            return true;
        }
        SessionLog.Problem(_context.Logger, Name, "authentication error");
        End(ClosedState.AuthenticationViolation, "Authorization Violation");
        return false;
    }

    private static byte[] RenderError(string error) => System.Text.Encoding.UTF8.GetBytes($"-ERR '{error}'\r\n");
}
