// Hot path: NatsSession -> this -> SendLane; Connection -> this -> NatsSubscription. Allocations: none.
using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>One connection to one server, from its first byte to its end.</summary>
/// <remarks>
/// Sending: frames are written into one lane under a lock. A caller that finds the connection idle sends at once; in a dense stream of
/// publishes a flusher on the pool sends what has accumulated, and full pieces are sent on the publisher's thread.
/// Replies from the receiving thread are sent together when the receive batch ends.
/// </remarks>
internal sealed class ServerConnection : IReceiver, IThreadPoolWorkItem
{
    // The size of one chunk of the outbox.
    private const int FlushBytes = 64 * 1024;

    // A publish that comes later than this after the last send finds the connection idle: half of a loopback round trip.
    private static readonly long IdleTicks = Stopwatch.Frequency / 50_000;

    private readonly NatsSession _session;
    private SendLane _lane;
    private readonly Action _onDrained;
    private readonly TaskCompletionSource<ServerInfo> _handshake = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _maxPendingBytes;
    private readonly long _roomBytes;

    // Guards the lane, the flusher's flag, the pongs, the wait for room and the pause.
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource<bool>> _pongs = new();
    private TaskCompletionSource? _room;
    private long _lastSend;
    private bool _flushQueued;
    private bool _isClosing;
    private bool _pausedForRoom;

    private FrameParser _parser = new(FrameKind.FromServer) { MaxPayloadBytes = -1 };
    private NatsSubscription[] _toSignal = new NatsSubscription[8];
    private int _toSignalCount;
    private int _receivingThread;
    private ServerInfo? _info;
    private bool _established;
    private NatsClientException? _lastError;
    private bool _mustUpgrade;

    // For the handshake: its time limit, and the search for credentials, which the time limit and the end of the connection cancel.
    private CancellationToken _connectToken;
    private CredentialsRetrieval? _credentials;

    public ServerConnection(NatsSession session, Connection socket, ServerPool.Server server)
    {
        _session = session;
        Socket = socket;
        Server = server;
        _maxPendingBytes = session.Options.MaxPendingBytes;
        _roomBytes = Math.Max(1, _maxPendingBytes / 2);
        _onDrained = OnDrained;
        _lane = CreateLane(socket.Outbox);
    }

    /// <summary>The connection; replaced by an upgrade to TLS.</summary>
    public Connection Socket { get; private set; }

    public ServerPool.Server Server { get; }

    private TlsConnection? Tls => TlsConnection.Of(Socket);

    /// <summary>The newest INFO; null before the first.</summary>
    public ServerInfo? Info => Volatile.Read(ref _info);

    public int MaxPayloadBytes { get; private set; } = FrameParser.DefaultMaxPayloadBytes;

    public bool SupportsHeaders { get; private set; }

    public long PendingBytes => Socket.Outbox.PendingBytes;

    /// <summary>Whether publishers must wait.</summary>
    public bool IsFull => Socket.Outbox.PendingBytes > _maxPendingBytes;

    public int OutstandingPings
    {
        get
        {
            lock (_gate) return _pongs.Count;
        }
    }

    /// <summary>Starts reading and waits until the server has accepted CONNECT.</summary>
    public async Task<ServerInfo> HandshakeAsync(CancellationToken ct)
    {
        _connectToken = ct;
        Socket.Start(this);
        return await _handshake.Task.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Writes a publish.</summary>
    /// <returns>False when the connection accepts nothing any more.</returns>
    public bool TryPublish(string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload)
    {
        bool send;
        lock (_gate)
        {
            if (_isClosing) return false;
            var wasEmpty = _lane.UnsubmittedBytes == 0;
            PublishFrameWriter.Publish(_lane, subject, replyTo, headers, payload);
            _session.Traffic.SentMessages++;
            _session.Traffic.SentBytes += payload.Length + (headers?.CountBytes() ?? 0);
            send = MustSend(wasEmpty);
        }
        if (send) Socket.Outbox.Send();
        return true;
    }

    /// <summary>Sends a reply on the receiving thread.</summary>
    public bool TryPublishRaw(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload)
    {
        if (payload.Length > MaxPayloadBytes) return false;
        bool send;
        lock (_gate)
        {
            if (_isClosing) return false;
            var wasEmpty = _lane.UnsubmittedBytes == 0;
            PublishFrameWriter.Publish(_lane, subject, payload);
            _session.Traffic.SentMessages++;
            _session.Traffic.SentBytes += payload.Length;
            send = MustSend(wasEmpty);
        }
        if (send) Socket.Outbox.Send();
        return true;
    }

    /// <summary>Writes rendered frames: control frames, or buffered publishes.</summary>
    public bool TryWrite(ReadOnlySpan<byte> frames)
    {
        bool send;
        lock (_gate)
        {
            if (_isClosing) return false;
            var wasEmpty = _lane.UnsubmittedBytes == 0;
            _lane.Write(frames);
            send = MustSend(wasEmpty);
        }
        if (send) Socket.Outbox.Send();
        return true;
    }

    /// <summary>Sends PING.</summary>
    /// <returns>True at the PONG, false when the connection ended first.</returns>
    public Task<bool> PingAsync()
    {
        var pong = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_isClosing) return Task.FromResult(false);
            _pongs.Enqueue(pong);
            _lane.Write("PING\r\n"u8);
            _lane.Submit();
            _lastSend = Stopwatch.GetTimestamp();
        }
        Socket.Outbox.Send();
        return pong.Task;
    }

    /// <summary>Waits until publishers may continue.</summary>
    public Task WaitForRoomAsync()
    {
        Task room;
        lock (_gate)
        {
            if (_isClosing) return Task.CompletedTask;
            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            room = _room.Task;
        }
        Socket.Outbox.WhenBelow(_roomBytes, _onDrained);
        return room;
    }

    /// <summary>Schedules a subscription's reader to be woken at the end of this receive batch.</summary>
    public void WakeAtBatchEnd(NatsSubscription subscription)
    {
        for (var i = _toSignalCount - 1; i >= 0 && i >= _toSignalCount - 4; i--)
            if (ReferenceEquals(_toSignal[i], subscription)) return;
        if (_toSignalCount == _toSignal.Length) Array.Resize(ref _toSignal, _toSignalCount * 2);
        _toSignal[_toSignalCount++] = subscription;
    }

    /// <summary>Ends the connection after everything written was sent; the session does not consider it lost.</summary>
    public void CloseGracefully()
    {
        Flush();
        lock (_gate) _isClosing = true;
        Socket.CloseAfterSending();
    }

    /// <summary>Ends the connection as lost.</summary>
    public void Fail(NatsClientException error)
    {
        _lastError = error;
        Socket.Close();
    }

    /// <summary>Submits the accumulated frames to the outbox. On the pool.</summary>
    public void Execute()
    {
        lock (_gate)
        {
            _flushQueued = false;
            if (_lane.UnsubmittedBytes == 0) return;
        }
        if (Socket.Outbox.PendingBytes > 0) Socket.Outbox.WhenBelow(1, _onDrained);
        else Flush();
    }

    // Not inlined: inside the engine's try block its locals would live on the stack.
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        _receivingThread = Environment.CurrentManagedThreadId;
        var rest = input;
        OperationStatus status;
        while ((status = _parser.TryRead(ref rest, out var frame)) == OperationStatus.Done)
        {
            if ((frame.Kind & (FrameKind.Message | FrameKind.MessageWithHeaders)) != 0)
            {
                OnMessage(in frame);
                continue;
            }
            OnControl(in frame);
            if (!_mustUpgrade) continue;
            Upgrade(rest.Length, batch);
            neededBytes = 0;
            return input.Length;
        }
        if (status == OperationStatus.InvalidData) Fail(new NatsClientException(NatsErrorCode.ProtocolViolation, $"The server sent an invalid frame: {_parser.Error}."));
        neededBytes = _parser.NeededBytes;
        _receivingThread = 0;
        EndBatch();
        return input.Length - rest.Length;
    }

    /// <inheritdoc/>
    public void Closed(CloseReason reason, Exception? error)
    {
        TaskCompletionSource<bool>[] pongs;
        TaskCompletionSource? room;
        bool lost;
        lock (_gate)
        {
            lost = !_isClosing;
            _isClosing = true;
            pongs = [.. _pongs];
            _pongs.Clear();
            (room, _room) = (_room, null);
        }
        foreach (var pong in pongs) pong.TrySetResult(false);
        room?.TrySetResult();
        _credentials?.Cancel();
        _lastError ??= HandshakeErrors.FromEnd(Server.Address, _session.Options, reason, error);
        // With TLS 1.3 the server checks the client's certificate after the client has completed the handshake.
        if (Tls is { IsSecure: true } && !_established && reason is CloseReason.ByPeer or CloseReason.ReadError)
            _lastError ??= HandshakeErrors.EndedAfterTls(Server.Address, _session.Options, error);
        var failure = _lastError ?? HandshakeErrors.Lost(Server.Address, reason, error);
        _handshake.TrySetException(failure);
        if (_established) _session.OnConnectionEnded(this, lost, failure);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void OnMessage(in Frame frame)
    {
        var traffic = _session.Traffic;
        traffic.ReceivedMessages++;
        traffic.ReceivedBytes += frame.TotalBytes;
        _session.Subscriptions.Find(frame.Sid)?.Receive(in frame, this);
    }

    private void OnControl(in Frame frame)
    {
        switch (frame.Kind)
        {
            case FrameKind.Ping:
                TryWrite("PONG\r\n"u8);
                break;
            case FrameKind.Pong:
                OnPong();
                break;
            case FrameKind.Info:
                OnInfo(frame.Text);
                break;
            case FrameKind.Error:
                OnError(Encoding.UTF8.GetString(frame.Text).Trim('\''));
                break;
        }
    }

    private void OnPong()
    {
        if (!_established)
        {
            if (_info is null)
            {
                Fail(new NatsClientException(NatsErrorCode.ProtocolViolation, "The server sent PONG before INFO."));
                return;
            }
            _established = true;
            _handshake.TrySetResult(_info);
            return;
        }
        TaskCompletionSource<bool>? pong;
        lock (_gate) _pongs.TryDequeue(out pong);
        pong?.TrySetResult(true);
    }

    private void OnInfo(ReadOnlySpan<byte> json)
    {
        var info = JsonSerializer.Deserialize(json, WireJsonContext.Default.ServerInfo)!;
        var first = _info is null;
        Volatile.Write(ref _info, info);
        if (info.MaxPayload > 0) MaxPayloadBytes = info.MaxPayload;
        SupportsHeaders = info.Headers;
        if (first) SendConnect(info);
        if (info.ConnectUrls is { Length: > 0 } urls) _session.OnServersDiscovered(urls, Server);
        if (!first && info.LameDuckMode) _session.OnLameDuck(this);
    }

    // Unencrypted bytes after INFO may come from anyone: none of them is accepted as the server's.
    private void Upgrade(int restBytes, SendBatch batch)
    {
        _mustUpgrade = false;
        _receivingThread = 0;
        if (restBytes > 0)
        {
            Fail(new NatsClientException(NatsErrorCode.ProtocolViolation, $"The server {Server.Address.HostAndPort} sent {restBytes} bytes between INFO and the TLS handshake."));
            return;
        }
        TlsConnection tls;
        try
        {
            tls = TlsConnection.Upgrade(Socket, ClientHandshake.CreateOptions(_session.Options, Server.Address), _session.Options.ConnectTimeout, batch);
        }
        catch (NatsClientException error)
        {
            Fail(error);
            return;
        }
        lock (_gate)
        {
            Socket = tls;
            _lane = CreateLane(tls.Outbox);
        }
        tls.Start(this);
        // Waits in the outbox for the end of the handshake.
        WriteConnect(_info!);
        Flush();
    }

    private void SendConnect(ServerInfo info)
    {
        // For a WebSocket the server reports the TLS below it.
        var isSecure = Tls is not null || Socket is WebSocketConnection;
        var isRequired = !isSecure && !Socket.IsInMemory && (info.TlsRequired || Server.Address.RequiresTls || _session.Options.Tls is not null);
        if (isRequired && !info.TlsRequired && !info.TlsAvailable)
        {
            Fail(HandshakeErrors.WithoutTls(Server.Address, _session.Options));
            return;
        }
        _mustUpgrade = isRequired;
        if (!isRequired) WriteConnect(info);
    }

    private void WriteConnect(ServerInfo info)
    {
        if (_session.FindCredentials(Server.Address) is { } credentials)
            (_credentials = new CredentialsRetrieval(credentials, _session.CreateCredentialsRequest(Server, info), _session.Options.NameOf(nameof(ClientOptions.Credentials)), _connectToken)).Start(given => WriteConnect(info, given), Flush, Fail);
        else
            WriteConnect(info, null);
    }

    private void WriteConnect(ServerInfo info, ConnectCredentials? credentials)
    {
        var connect = JsonSerializer.SerializeToUtf8Bytes(_session.CreateConnectInfo(Server.Address, info, credentials), WireJsonContext.Default.ConnectInfo);
        lock (_gate)
        {
            if (_isClosing) return;
            if (credentials is not null) Server.Offered = credentials;
            _lane.Write("CONNECT "u8);
            _lane.Write(connect);
            _lane.Write("\r\nPING\r\n"u8);
        }
    }

    private void OnError(string text)
    {
        var error = ServerErrors.Read(text);
        if (!_established && error.Code == NatsErrorCode.AuthorizationFailed && _info?.Nonce is not null && !_session.HasCredentials(Server.Address))
            error = HandshakeErrors.WithoutCredentials(Server.Address, _session.Options, text);
        if (!_established || error.Code is NatsErrorCode.AuthorizationFailed or NatsErrorCode.StaleConnection) _lastError = error;
        if (!_established) Fail(error);
        else _session.OnServerError(this, error, text);
    }

    // Under the gate, after a write. True: the accumulated frames were submitted and the caller sends them.
    private bool MustSend(bool wasEmpty)
    {
        if (_lane.UnsubmittedBytes >= FlushBytes)
        {
            _lane.Submit();
            return true;
        }
        if (!wasEmpty || _receivingThread == Environment.CurrentManagedThreadId) return false;
        var now = Stopwatch.GetTimestamp();
        if (now - _lastSend > IdleTicks && Socket.Outbox.PendingBytes == 0)
        {
            _lastSend = now;
            _lane.Submit();
            return true;
        }
        QueueFlush();
        return false;
    }

    private void QueueFlush()
    {
        if (_flushQueued) return;
        _flushQueued = true;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Flush()
    {
        lock (_gate)
        {
            if (_lane.UnsubmittedBytes == 0) return;
            _lane.Submit();
            _lastSend = Stopwatch.GetTimestamp();
        }
        Socket.Outbox.Send();
    }

    // The session's own limit slows publishers down; the outbox's would end the connection, and pings detect a dead one.
    private static SendLane CreateLane(Outbox outbox)
    {
        outbox.MaxPendingBytes = long.MaxValue;
        outbox.WriteDeadline = TimeSpan.MaxValue;
        outbox.StallsProducers = false;
        return outbox.CreateLane();
    }

    private void EndBatch()
    {
        for (var i = 0; i < _toSignalCount; i++)
        {
            var subscription = _toSignal[i];
            _toSignal[i] = null!;
            subscription.Signal();
        }
        _toSignalCount = 0;
        Flush();
        if (!IsFull) return;
        // Replies are faster than the server: receive nothing more until it has caught up.
        lock (_gate)
        {
            if (_pausedForRoom || _isClosing) return;
            _pausedForRoom = true;
        }
        Socket.PauseReading();
        Socket.Outbox.WhenBelow(_roomBytes, _onDrained);
    }

    // On a sender's thread, inside a send: the flusher sends, not this callback.
    private void OnDrained()
    {
        TaskCompletionSource? room = null;
        var resume = false;
        long again = 0;
        lock (_gate)
        {
            var pending = Socket.Outbox.PendingBytes;
            if (pending < _roomBytes || _isClosing)
            {
                (room, _room) = (_room, null);
                (resume, _pausedForRoom) = (_pausedForRoom, false);
            }
            else if (_room is not null || _pausedForRoom)
            {
                again = _roomBytes;
            }
            if (_lane.UnsubmittedBytes > 0 && !_isClosing) QueueFlush();
        }
        room?.TrySetResult();
        if (resume) Socket.ResumeReading();
        if (again > 0) Socket.Outbox.WhenBelow(again, _onDrained);
    }
}
