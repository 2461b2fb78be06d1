// Hot path: NatsClient -> this -> ServerConnection. Allocations: none while connected and with room.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Client.Inboxes;
using Postrider.Client.Payloads;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>Client state that survives reconnects: subscriptions, buffered publishes and the connection state.</summary>
internal sealed class NatsSession : IAsyncDisposable
{
    private readonly ServerConnector _connector;
    private readonly EarlyEnds _earlyEnds;
    private readonly CancellationTokenSource _closing = new();

    // Obtained while the source exists: the search for a server may need it after the source was disposed.
    private readonly CancellationToken _closed;

    // Guards the change from one connection to the next, the state, the reconnect buffer and the callers that wait for a connection.
    private readonly Lock _gate = new();
    private readonly ReconnectBuffer _reconnectBuffer;
    private volatile ServerConnection? _connection;
    private TaskCompletionSource _connected = NewSignal();
    private ITimer? _pings;
    private int _state;

    public NatsSession(ClientOptions options)
    {
        options.Check();
        Options = options;
        Serializers = new PayloadSerializers(options.Serializers);
        _closed = _closing.Token;
        var random = options.Random ?? new SecureRandom();
        Nuid = new Nuid(random);
        Servers = new ServerPool(options, random);
        Logger = options.LoggerFactory?.CreateLogger("Postrider.Client") ?? NullLogger.Instance;
        Events = new ClientEvents(Logger);
        _reconnectBuffer = new ReconnectBuffer(options.ReconnectBufferBytes);
        _connector = new ServerConnector(this, random);
        _earlyEnds = new EarlyEnds(options.TimeProvider);
        Telemetry.Add(this);
    }

    /// <summary>Called once when the session has closed; on the thread that closed it.</summary>
    public event Action<NatsClientException>? Ended;

    /// <summary>Called when the server rejected a publish; on the receiving thread.</summary>
    public event Action<string, NatsClientException>? PublishRejected;

    public ClientOptions Options { get; }

    public PayloadSerializers Serializers { get; }

    public Nuid Nuid { get; }

    public ServerPool Servers { get; }

    public ILogger Logger { get; }

    public ClientEvents Events { get; }

    public TrafficCounters Traffic { get; } = new();

    public SubscriptionTable Subscriptions { get; } = new();

    public ConnectionState State => (ConnectionState)Volatile.Read(ref _state);

    public ServerConnection? ServerConnection => _connection;

    public LostConnection? LastLost { get; private set; }

    public string NewInbox() => $"{Options.InboxPrefix}.{Nuid.Next()}";

    /// <summary>Establishes the first connection.</summary>
    public async Task ConnectAsync(CancellationToken ct)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, _closed);
        try
        {
            await ConnectFirstAsync(either.Token).ConfigureAwait(false);
        }
        catch
        {
            await CloseAsync(null).ConfigureAwait(false);
            throw;
        }
        if (Options.PingInterval > TimeSpan.Zero)
            _pings = Options.TimeProvider.CreateTimer(static state => ((NatsSession)state!).OnPingTime(), this, Options.PingInterval, Options.PingInterval);
    }

    /// <summary>Publishes a value.</summary>
    public ValueTask PublishAsync<T>(string subject, T data, string? replyTo, NatsHeaders? headers, Serializer<T>? serializer, CancellationToken ct)
    {
        if (replyTo is null) return PublishAsync(subject, data, default(ReadOnlySpan<byte>), headers, serializer, ct);
        SubjectArguments.CheckPublishSubject(replyTo);
        return PublishAsync(subject, data, Encoding.UTF8.GetBytes(replyTo), headers, serializer, ct);
    }

    /// <summary>Publishes a value; the reply subject is UTF-8 and was checked.</summary>
    public ValueTask PublishAsync<T>(string subject, T data, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, Serializer<T>? serializer, CancellationToken ct)
    {
        if (typeof(T) == typeof(ReadOnlyMemory<byte>) && serializer is null)
            return PublishBytesAsync(subject, replyTo, headers, Unsafe.As<T, ReadOnlyMemory<byte>>(ref data).Span, ct);
        if (typeof(T) == typeof(byte[]) && serializer is null)
            return PublishBytesAsync(subject, replyTo, headers, Unsafe.As<T, byte[]?>(ref data), ct);
        var buffer = PayloadBuffer.Take();
        try
        {
            if (data is not null) (serializer ?? Serializers.Get<T>()).Write(buffer, data);
            return PublishBytesAsync(subject, replyTo, headers, buffer.Written, ct);
        }
        finally
        {
            buffer.Release();
        }
    }

    /// <summary>Publishes bytes.</summary>
    public ValueTask PublishBytesAsync(string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload, CancellationToken ct)
    {
        SubjectArguments.CheckPublishSubject(subject);
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled(ct);
        if (Telemetry.IsTracing) headers = Telemetry.StartPublish(this, subject, headers, payload.Length);
        var connection = _connection;
        if (connection is null) return PublishBuffered(subject, replyTo, headers, payload, connection);
        CheckSize(connection, headers, payload.Length);
        if (!connection.TryPublish(subject, replyTo, headers, payload)) return PublishBuffered(subject, replyTo, headers, payload, connection);
        return connection.IsFull ? WaitForRoom(connection, ct) : default;
    }

    /// <summary>Publishes bytes to a subject that is UTF-8 and valid, such as one that was received.</summary>
    public ValueTask PublishRawAsync(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload, CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled(ct);
        if (_connection is not { } connection || !connection.TryPublishRaw(subject, payload))
            return PublishBytesAsync(Encoding.UTF8.GetString(subject), default, null, payload, ct);
        return connection.IsFull ? WaitForRoom(connection, ct) : default;
    }

    /// <summary>Adds a subscription and sends it to the server.</summary>
    public void Subscribe(NatsSubscription subscription)
    {
        SubjectArguments.CheckSubscribeSubject(subscription.Subject);
        SubjectArguments.CheckQueueGroup(subscription.QueueGroup);
        lock (_gate)
        {
            ThrowIfNotOpen();
            Subscriptions.Add(subscription);
            _connection?.TryWrite(ControlFrameWriter.Subscribe(subscription));
        }
    }

    /// <summary>Unsubscribes; messages that the server sends before it receives this are dropped.</summary>
    public void Unsubscribe(NatsSubscription subscription)
    {
        if (!Subscriptions.Remove(subscription)) return;
        if (!subscription.IsStopping) _connection?.TryWrite(ControlFrameWriter.Unsubscribe(subscription));
    }

    /// <summary>Unsubscribes and waits until every message that the server had sent for it was received.</summary>
    public async Task StopAsync(NatsSubscription subscription, CancellationToken ct)
    {
        subscription.IsStopping = true;
        if (_connection is { } connection && connection.TryWrite(ControlFrameWriter.Unsubscribe(subscription)))
            await connection.PingAsync().WaitAsync(ct).ConfigureAwait(false);
        Subscriptions.Remove(subscription);
    }

    /// <summary>Removes a subscription that the server has ended.</summary>
    public void Remove(NatsSubscription subscription) => Subscriptions.Remove(subscription);

    /// <summary>Waits for PONG: everything before was received by the server.</summary>
    /// <returns>The round trip.</returns>
    public async Task<TimeSpan> PingAsync(CancellationToken ct)
    {
        var connection = _connection ?? await NextConnectionAsync(ct).ConfigureAwait(false);
        var start = Options.TimeProvider.GetTimestamp();
        if (!await connection.PingAsync().WaitAsync(ct).ConfigureAwait(false))
            throw new NatsClientException(NatsErrorCode.ConnectionLost, $"The connection to {connection.Server.Address.HostAndPort} ended before the server responded.");
        return Options.TimeProvider.GetElapsedTime(start);
    }

    /// <summary>Ends every subscription in order, waits for their readers, flushes and closes.</summary>
    public async Task DrainAsync(CancellationToken ct)
    {
        lock (_gate)
        {
            ThrowIfNotOpen();
            SetState(ConnectionState.Draining);
        }
        using var timeout = new CancellationTokenSource(Options.DrainTimeout, Options.TimeProvider);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct, timeout.Token);
        try
        {
            await Task.WhenAll(Subscriptions.ToArray().Select(subscription => subscription.DrainAsync(limit.Token))).ConfigureAwait(false);
            // Messages published without a connection wait for one.
            if (_connection is not null || HasBufferedPublishes()) await PingAsync(limit.Token).ConfigureAwait(false);
        }
        finally
        {
            await CloseAsync(null).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (State != ConnectionState.Closed && _connection is { } connection)
        {
            // Published messages should arrive, but a server that does not respond must not block the caller for long.
            try
            {
                await connection.PingAsync().WaitAsync(Options.ConnectTimeout, Options.TimeProvider).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                connection.Fail(new NatsClientException(NatsErrorCode.ClientClosed, "The client was disposed."));
            }
        }
        await CloseAsync(null).ConfigureAwait(false);
    }

    internal ConnectInfo CreateConnectInfo(ServerAddress address, ServerInfo info, ConnectCredentials? credentials) => _connector.CreateConnectInfo(address, info, credentials);

    internal ClientCredentials? FindCredentials(ServerAddress address) => _connector.FindCredentials(address);

    internal bool HasCredentials(ServerAddress address) => _connector.HasCredentials(address);

    internal CredentialsRequest CreateCredentialsRequest(ServerPool.Server server, ServerInfo info) => _connector.CreateCredentialsRequest(server, info);

    internal void OnConnectionEnded(ServerConnection connection, bool lost, NatsClientException error)
    {
        bool reconnects;
        lock (_gate)
        {
            if (!ReferenceEquals(_connection, connection)) return;
            _connection = null;
            if (State == ConnectionState.Closed) return;
            LastLost = new LostConnection(connection.Server.Address.HostAndPort, Options.TimeProvider.GetUtcNow());
            reconnects = lost && Options.Reconnect && State == ConnectionState.Connected;
            if (reconnects) SetState(ConnectionState.Reconnecting);
        }
        Events.Tell(new ClientEvent(ClientEventKind.Disconnected, connection.Server.Address.HostAndPort, Error: error));
        _ = Task.Run(() => reconnects ? ReconnectAsync(connection, error) : CloseAsync(error));
    }

    internal void OnServersDiscovered(string[] urls, ServerPool.Server current)
    {
        if (Options.UseDiscoveredServers && Servers.Update(urls, current))
            Events.Tell(new ClientEvent(ClientEventKind.ServersDiscovered, current.Address.HostAndPort));
    }

    internal void OnLameDuck(ServerConnection connection)
    {
        Events.Tell(new ClientEvent(ClientEventKind.LameDuck, connection.Server.Address.HostAndPort));
        if (Options.Reconnect && Servers.Count > 1) _ = Task.Run(() => MoveAsync(connection));
    }

    internal void OnServerError(ServerConnection connection, NatsClientException error, string text)
    {
        var server = connection.Server.Address.HostAndPort;
        if (!ServerErrors.TryReadViolation(text, out var subject, out var queueGroup, out var ofPublish))
        {
            Events.Tell(new ClientEvent(ClientEventKind.ServerError, server, Error: error));
            return;
        }
        Events.Tell(new ClientEvent(ClientEventKind.PermissionDenied, server, subject, error));
        if (ofPublish)
        {
            PublishRejected?.Invoke(subject, error);
            return;
        }
        foreach (var subscription in Subscriptions.ToArray())
        {
            if (subscription.Subject != subject || subscription.QueueGroup != queueGroup || !Subscriptions.Remove(subscription)) continue;
            subscription.End(error);
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static void CheckSize(ServerConnection connection, NatsHeaders? headers, int payloadBytes)
    {
        var total = payloadBytes;
        if (headers is not null)
        {
            if (!connection.SupportsHeaders) throw new NatsClientException(NatsErrorCode.ServerRequirement, $"The server {connection.Server.Address.HostAndPort} does not support headers.");
            total += headers.CountBytes();
        }
        if (total > connection.MaxPayloadBytes) ThrowTooLarge(total, connection.MaxPayloadBytes);
    }

    [DoesNotReturn]
    private static void ThrowTooLarge(int bytes, int limit)
        => throw new NatsClientException(NatsErrorCode.PayloadTooLarge, $"Payload of {bytes} bytes exceeds max_payload {limit}.");

    private static ValueTask WaitForRoom(ServerConnection connection, CancellationToken ct) => new(connection.WaitForRoomAsync().WaitAsync(ct));

    private ValueTask PublishBuffered(string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload, ServerConnection? ended)
    {
        ServerConnection? connection;
        lock (_gate)
        {
            connection = _connection;
            if (connection is null || ReferenceEquals(connection, ended))
            {
                if (State == ConnectionState.Closed) throw Closed();
                _reconnectBuffer.Add(subject, replyTo, headers, payload);
                Traffic.SentMessages++;
                Traffic.SentBytes += payload.Length + (headers?.CountBytes() ?? 0);
                return default;
            }
            CheckSize(connection, headers, payload.Length);
            if (!connection.TryPublish(subject, replyTo, headers, payload)) _reconnectBuffer.Add(subject, replyTo, headers, payload);
        }
        return default;
    }

    // A connection may end between its handshake and its use: then no search for another one would start.
    private async Task ConnectFirstAsync(CancellationToken ct)
    {
        var ends = 0;
        while (true)
        {
            var connection = await _connector.ConnectToAnyAsync(Options.RetryFirstConnect, ends++, ct).ConfigureAwait(false);
            if (Install(connection, ClientEventKind.Connected)) return;
            if (State == ConnectionState.Closed) throw Closed();
            if (Options.RetryFirstConnect) continue;
            throw new NatsClientException(NatsErrorCode.ConnectionLost, $"{connection.Server.Address.HostAndPort} closed the connection immediately after the handshake.");
        }
    }

    // Subscriptions first, then messages published in the meantime, then all other callers.
    private bool Install(ServerConnection connection, ClientEventKind kind)
    {
        lock (_gate)
        {
            if (State == ConnectionState.Closed)
            {
                connection.CloseGracefully();
                return false;
            }
            if (!connection.TryWrite(ControlFrameWriter.SubscribeAll(Subscriptions.ToArray())) || !connection.TryWrite(_reconnectBuffer.Frames)) return false;
            _reconnectBuffer.Clear();
            _connection = connection;
            _earlyEnds.Connected();
            if (State != ConnectionState.Draining) SetState(ConnectionState.Connected);
            _connected.TrySetResult();
        }
        if (kind == ClientEventKind.Reconnected) Traffic.Reconnects++;
        Events.Tell(new ClientEvent(kind, connection.Server.Address.HostAndPort));
        return true;
    }

    private async Task ReconnectAsync(ServerConnection lost, NatsClientException reason)
    {
        Servers.Restart(lost.Server);
        if (reason.Code == NatsErrorCode.AuthorizationFailed) lost.Server.LastRejection = reason;
        var last = reason;
        var ends = _earlyEnds.Ended();
        try
        {
            while (true)
            {
                var connection = await _connector.ConnectToAnyAsync(retries: true, ends++, _closed).ConfigureAwait(false);
                if (Install(connection, ClientEventKind.Reconnected) || State == ConnectionState.Closed) return;
            }
        }
        catch (OperationCanceledException)
        {
            return;
        }
        catch (NatsClientException error)
        {
            last = error;
        }
        await CloseAsync(last).ConfigureAwait(false);
    }

    // A subscription that moves is ended there and begun here together: no message is missed, and messages that both servers sent
    // arrive before Reconnected is raised.
    private async Task MoveAsync(ServerConnection old)
    {
        ServerConnection connection;
        try
        {
            connection = await _connector.ConnectToOtherAsync(old.Server, _closed).ConfigureAwait(false);
        }
        catch (Exception error) when (error is NatsClientException or OperationCanceledException)
        {
            // The old server will close the connection eventually; then the usual search begins.
            return;
        }
        lock (_gate)
        {
            if (!ReferenceEquals(_connection, old) || State == ConnectionState.Closed)
            {
                connection.CloseGracefully();
                return;
            }
            var subscriptions = Subscriptions.ToArray();
            old.TryWrite(ControlFrameWriter.UnsubscribeAll(subscriptions));
            if (!connection.TryWrite(ControlFrameWriter.SubscribeAll(subscriptions)))
            {
                // The new connection has ended: return to the old one, which still exists.
                old.TryWrite(ControlFrameWriter.SubscribeAll(subscriptions));
                return;
            }
            _connection = connection;
        }
        Traffic.Reconnects++;
        try
        {
            // Until its PONG the old server may send the same messages as the new one: a handler called after it sees nothing twice.
            await old.PingAsync().WaitAsync(Options.ConnectTimeout, Options.TimeProvider, _closed).ConfigureAwait(false);
        }
        catch (Exception late) when (late is TimeoutException or OperationCanceledException)
        {
            // It does not respond any more, or the client ends.
        }
        old.CloseGracefully();
        Events.Tell(new ClientEvent(ClientEventKind.Reconnected, connection.Server.Address.HostAndPort));
    }

    private async Task<ServerConnection> NextConnectionAsync(CancellationToken ct)
    {
        while (true)
        {
            Task connected;
            lock (_gate)
            {
                if (_connection is { } connection) return connection;
                if (State == ConnectionState.Closed) throw Closed();
                if (_connected.Task.IsCompleted) _connected = NewSignal();
                connected = _connected.Task;
            }
            await connected.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    private void OnPingTime()
    {
        if (_connection is not { } connection) return;
        if (connection.OutstandingPings >= Options.MaxPingsOutstanding)
            connection.Fail(new NatsClientException(NatsErrorCode.StaleConnection, $"The server {connection.Server.Address.HostAndPort} did not answer {connection.OutstandingPings} pings."));
        else
            _ = connection.PingAsync();
    }

    private async Task CloseAsync(NatsClientException? reason)
    {
        ServerConnection? connection;
        lock (_gate)
        {
            if (State == ConnectionState.Closed) return;
            SetState(ConnectionState.Closed);
            (connection, _connection) = (_connection, null);
            _reconnectBuffer.Clear();
            _connected.TrySetResult();
        }
        await _closing.CancelAsync().ConfigureAwait(false);
        if (_pings is not null) await _pings.DisposeAsync().ConfigureAwait(false);
        connection?.CloseGracefully();
        var error = reason ?? Closed();
        foreach (var subscription in Subscriptions.ToArray())
        {
            Subscriptions.Remove(subscription);
            subscription.End(reason);
            subscription.Abandon();
        }
        Telemetry.Remove(this);
        Ended?.Invoke(error);
        Events.Tell(new ClientEvent(ClientEventKind.Closed, Error: reason));
        _closing.Dispose();
    }

    private bool HasBufferedPublishes()
    {
        lock (_gate) return !_reconnectBuffer.Frames.IsEmpty;
    }

    private void SetState(ConnectionState state) => Volatile.Write(ref _state, (int)state);

    private void ThrowIfNotOpen()
    {
        if (State == ConnectionState.Closed) throw Closed();
        if (State == ConnectionState.Draining) throw new NatsClientException(NatsErrorCode.ClientDraining, "The client is draining and does not accept new operations.");
    }

    private static NatsClientException Closed() => new(NatsErrorCode.ClientClosed, "The client is closed.");
}
