using Postrider.Client.JetStream;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.Client.Requests;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A client of a NATS server or cluster: publishes, subscribes, sends requests and replies over one connection.</summary>
/// <remarks>
/// Thread-safe; one client serves a whole process. After a lost connection it reconnects and restores all subscriptions; what is
/// published in the meantime is buffered up to <see cref="ClientOptions.ReconnectBufferBytes"/>. Delivery is at most once.
/// Source: NATS client protocol.
/// </remarks>
public sealed class NatsClient : IAsyncDisposable
{
    private readonly NatsSession _session;
    private readonly Requester _requester;

    private NatsClient(ClientOptions options)
    {
        _session = new NatsSession(options);
        _requester = new Requester(_session);
        Services = new ServiceDiscovery(_session);
    }

    /// <summary>Raised for every event of the client, in order, on a thread of the pool.</summary>
    public event Action<ClientEvent>? EventOccurred
    {
        add => _session.Events.Occurred += value;
        remove => _session.Events.Occurred -= value;
    }

    /// <summary>The state of the connection.</summary>
    public ConnectionState State => _session.State;

    /// <summary>The server's newest INFO; null while there is no connection.</summary>
    public ServerInfo? ServerInfo => _session.ServerConnection?.Info;

    /// <summary>The server's address, <c>host:port</c>, or the name of a broker of this process that the client is connected to without
    /// a socket; null while there is no connection.</summary>
    public string? ConnectedServer => _session.ServerConnection switch
    {
        null => null,
        { Socket.RemoteEndPoint: null, Info.ServerName: { Length: > 0 } name } => name,
        var connection => connection.Server.Address.HostAndPort,
    };

    /// <summary>The known servers, <c>host:port</c>, including discovered ones.</summary>
    public IReadOnlyList<string> KnownServers => _session.Servers.Addresses;

    /// <summary>The options of the client.</summary>
    public ClientOptions Options => _session.Options;

    /// <summary>Counts of what has been sent and received.</summary>
    public ClientStatistics Statistics
    {
        get
        {
            var traffic = _session.Traffic;
            return new ClientStatistics(
                Volatile.Read(ref traffic.SentMessages),
                Volatile.Read(ref traffic.SentBytes),
                Volatile.Read(ref traffic.ReceivedMessages),
                Volatile.Read(ref traffic.ReceivedBytes),
                Volatile.Read(ref traffic.DroppedMessages),
                Volatile.Read(ref traffic.Reconnects),
                _session.ServerConnection?.PendingBytes ?? 0,
                _session.Subscriptions.Count);
        }
    }

    /// <summary>Finds running services.</summary>
    public ServiceDiscovery Services { get; }

    /// <summary>Connects.</summary>
    /// <param name="server">One or more addresses, separated by commas: <c>nats://[user:password@]host[:port]</c>.</param>
    /// <param name="configure">Sets further options; null for the defaults.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A connected client.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or the server rejected the connection.</exception>
    public static Task<NatsClient> ConnectAsync(string server = "nats://127.0.0.1:4222", Action<ClientOptions>? configure = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(server);
        var options = new ClientOptions { Servers = server.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) };
        configure?.Invoke(options);
        return ConnectAsync(options, ct);
    }

    /// <summary>Connects.</summary>
    /// <param name="options">The options.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A connected client.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or the server rejected the connection.</exception>
    public static async Task<NatsClient> ConnectAsync(ClientOptions options, CancellationToken ct = default)
    {
        var client = Create(options);
        await client.OpenAsync(ct).ConfigureAwait(false);
        return client;
    }

    /// <summary>Creates a client that is not connected yet, for code that needs the client before it can wait, such as a
    /// container.</summary>
    /// <param name="options">The options.</param>
    /// <returns>The client. Until <see cref="OpenAsync"/> has connected it, publishes are kept in the reconnect buffer, subscriptions are
    /// recorded, and requests wait for the connection until their timeout.</returns>
    public static NatsClient Create(ClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new NatsClient(options with { });
    }

    /// <summary>Connects a client created by <see cref="Create"/>. Call it once.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>Completes when the client is connected.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or the server rejected the connection. The client is closed
    /// then. With <see cref="ClientOptions.RetryFirstConnect"/> the attempts continue until one succeeds.</exception>
    public async Task OpenAsync(CancellationToken ct = default)
    {
        try
        {
            await _session.ConnectAsync(ct).ConfigureAwait(false);
        }
        catch
        {
            _requester.Dispose();
            throw;
        }
    }

    /// <summary>Publishes a value.</summary>
    /// <typeparam name="T">The value's type; bytes in any form, strings and numbers need no serializer.</typeparam>
    /// <param name="subject">The subject.</param>
    /// <param name="data">The value; null for an empty payload.</param>
    /// <param name="replyTo">The subject for replies, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>Completes immediately while fewer than <see cref="ClientOptions.MaxPendingBytes"/> are waiting to be sent.</returns>
    /// <exception cref="NatsClientException">An invalid subject, a payload larger than the server accepts, no serializer, a
    /// closed client or a full reconnect buffer. Later rejections by the server are reported by <see cref="EventOccurred"/>.</exception>
    public ValueTask PublishAsync<T>(
        string subject, T data, string? replyTo = null, NatsHeaders? headers = null, Serializer<T>? serializer = null, CancellationToken ct = default)
        => _session.PublishAsync(subject, data, replyTo, headers, serializer, ct);

    /// <summary>Publishes an empty payload.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>As for the other overload.</returns>
    public ValueTask PublishAsync(string subject, NatsHeaders? headers = null, CancellationToken ct = default)
        => _session.PublishBytesAsync(subject, default, headers, default, ct);

    /// <summary>Publishes bytes without an intermediate copy.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="payload">Copied before the call returns.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>As for the other overload.</returns>
    public ValueTask PublishAsync(string subject, ReadOnlySpan<byte> payload, NatsHeaders? headers = null, CancellationToken ct = default)
        => _session.PublishBytesAsync(subject, default, headers, payload, ct);

    /// <summary>Subscribes to a subject; the messages are read as an asynchronous stream.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <param name="options">Further options; <paramref name="queueGroup"/> overrides their queue group.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <returns>The subscription. The server processes it before anything that this client sends later.</returns>
    /// <exception cref="NatsClientException">An invalid subject, no serializer, or a client that is closed or draining.
    /// A rejection by the server ends the stream with an exception.</exception>
    public NatsSubscription<T> Subscribe<T>(string subject, string? queueGroup = null, SubscriptionOptions? options = null, Serializer<T>? serializer = null)
    {
        var subscription = new NatsSubscription<T>(_session, subject, Merge(options, queueGroup), serializer ?? _session.Serializers.Get<T>());
        _session.Subscribe(subscription);
        return subscription;
    }

    /// <summary>Subscribes to a subject; a handler runs for each message on a thread of the pool, in order unless <see cref="SubscriptionOptions.Concurrency"/> says otherwise.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="handler">The handler. Its token is cancelled when the subscription or the client is disposed. Its exceptions are reported by <see cref="EventOccurred"/>.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <param name="options">Further options; <paramref name="queueGroup"/> overrides their queue group.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <returns>The subscription; dispose or drain it to end it.</returns>
    /// <exception cref="NatsClientException">As for the other overload.</exception>
    public NatsSubscription Subscribe<T>(
        string subject,
        Func<NatsMessage<T>, CancellationToken, ValueTask> handler,
        string? queueGroup = null,
        SubscriptionOptions? options = null,
        Serializer<T>? serializer = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        var subscription = new NatsSubscription<T>(_session, subject, Merge(options, queueGroup), serializer ?? _session.Serializers.Get<T>());
        var pump = new HandlerLoop<T>(subscription, handler, subscription.Options.Concurrency, subscription.Options.StartsInOrder);
        _session.Subscribe(subscription);
        subscription.ReadBy(pump);
        return subscription;
    }

    /// <summary>Subscribes to a subject; a handler runs for each message on the receiving thread. The fastest way, for handlers that never block.</summary>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="handler">Runs on the receiving thread.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <returns>The subscription; dispose or drain it to end it.</returns>
    /// <exception cref="NatsClientException">As for the other overload.</exception>
    public NatsSubscription SubscribeRaw(string subject, RawMessageHandler handler, string? queueGroup = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        var subscription = new RawSubscription(_session, subject, Merge(null, queueGroup), handler);
        _session.Subscribe(subscription);
        return subscription;
    }

    /// <summary>Sends a request and waits for the reply.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="subject">The subject.</param>
    /// <param name="data">The request; null for an empty payload.</param>
    /// <param name="timeout">How long to wait; null for <see cref="ClientOptions.RequestTimeout"/>.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="requestSerializer">The request's serializer; null for the client's default.</param>
    /// <param name="replySerializer">The reply's serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The reply. Await it once.</returns>
    /// <exception cref="NatsNoRespondersException">There are no responders; the server reports it immediately.</exception>
    /// <exception cref="NatsClientException">No reply arrived in time (<see cref="NatsErrorCode.RequestTimeout"/>), the publish was
    /// rejected (<see cref="NatsErrorCode.PermissionDenied"/>), or the errors of a publish.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public ValueTask<NatsMessage<TReply>> RequestAsync<TRequest, TReply>(
        string subject,
        TRequest data,
        TimeSpan? timeout = null,
        NatsHeaders? headers = null,
        Serializer<TRequest>? requestSerializer = null,
        Serializer<TReply>? replySerializer = null,
        CancellationToken ct = default)
        => _requester.RequestAsync(subject, data, timeout, headers, requestSerializer, replySerializer, ct);

    /// <summary>Sends a request with an empty payload and waits for the reply.</summary>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="subject">The subject.</param>
    /// <param name="timeout">How long to wait; null for <see cref="ClientOptions.RequestTimeout"/>.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The reply. Await it once.</returns>
    /// <exception cref="NatsClientException">As for the other overload.</exception>
    public ValueTask<NatsMessage<TReply>> RequestAsync<TReply>(string subject, TimeSpan? timeout = null, CancellationToken ct = default)
        => _requester.RequestAsync<ReadOnlyMemory<byte>, TReply>(subject, default, timeout, null, null, null, ct);

    /// <summary>Sends a request and reads the replies of all responders as they arrive.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TReply">The type of the replies.</typeparam>
    /// <param name="subject">The subject.</param>
    /// <param name="data">The request; null for an empty payload.</param>
    /// <param name="options">When to stop waiting for replies; null for all replies within the request timeout.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="requestSerializer">The request's serializer; null for the client's default.</param>
    /// <param name="replySerializer">The serializer of the replies; null for the client's default.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The replies; the stream ends as the options specify, without an error.</returns>
    /// <exception cref="NatsNoRespondersException">There are no responders.</exception>
    public IAsyncEnumerable<NatsMessage<TReply>> RequestManyAsync<TRequest, TReply>(
        string subject,
        TRequest data,
        RequestManyOptions? options = null,
        NatsHeaders? headers = null,
        Serializer<TRequest>? requestSerializer = null,
        Serializer<TReply>? replySerializer = null,
        CancellationToken ct = default)
        => RequestMany.ReadAsync(_session, subject, data, options ?? new RequestManyOptions(), headers, requestSerializer, replySerializer, ct);

    /// <summary>Creates a service; add endpoints to it.</summary>
    /// <param name="options">Name, version and description.</param>
    /// <returns>A service that responds at <c>$SRV</c>; dispose it to stop it.</returns>
    /// <exception cref="NatsClientException">The name or the version is not valid.</exception>
    public NatsService AddService(ServiceOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new NatsService(_session, options);
    }

    /// <summary>Creates a context for JetStream: streams, consumers, and publishes that are acknowledged when they are stored.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option is not valid. Nothing is sent to the server yet.</exception>
    public JetStreamContext CreateJetStreamContext(JetStreamOptions? options = null) => new(_session, _requester, options ?? new JetStreamOptions());

    /// <summary>Creates a context for key-value buckets.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option is not valid. Nothing is sent to the server yet.</exception>
    public KeyValueContext CreateKeyValueContext(JetStreamOptions? options = null) => new(CreateJetStreamContext(options));

    /// <summary>Creates a context for object buckets.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option is not valid. Nothing is sent to the server yet.</exception>
    public ObjectStoreContext CreateObjectStoreContext(JetStreamOptions? options = null) => new(CreateJetStreamContext(options));

    /// <summary>Creates a unique subject for replies.</summary>
    /// <returns>The prefix and a unique id.</returns>
    public string NewInbox() => _session.NewInbox();

    /// <summary>Waits until the server has received everything sent so far.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when the server has answered.</returns>
    /// <exception cref="NatsClientException">The connection ended first, or the client is closed.</exception>
    public Task FlushAsync(CancellationToken ct = default) => _session.PingAsync(ct);

    /// <summary>Measures a round trip to the server.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The time from PING to PONG.</returns>
    /// <exception cref="NatsClientException">The connection ended first, or the client is closed.</exception>
    public Task<TimeSpan> PingAsync(CancellationToken ct = default) => _session.PingAsync(ct);

    /// <summary>The events of <see cref="EventOccurred"/> as an asynchronous stream that starts now.</summary>
    /// <param name="ct">Stops reading.</param>
    /// <returns>Events in order; ends when the client is closed.</returns>
    public IAsyncEnumerable<ClientEvent> ReadEventsAsync(CancellationToken ct = default) => _session.Events.ReadAsync(ct);

    /// <summary>Ends every subscription, waits until its messages were handled, flushes and closes the connection.</summary>
    /// <param name="ct">Cancels the wait; the client is closed.</param>
    /// <returns>A task that completes when the client is closed.</returns>
    /// <exception cref="OperationCanceledException">It took longer than <see cref="ClientOptions.DrainTimeout"/>, or <paramref name="ct"/> was cancelled; the client is closed.</exception>
    public Task DrainAsync(CancellationToken ct = default) => _session.DrainAsync(ct);

    /// <summary>Sends what was published, and closes the connection.</summary>
    /// <returns>A task that completes when the client is closed.</returns>
    public async ValueTask DisposeAsync()
    {
        await _session.DisposeAsync().ConfigureAwait(false);
        _requester.Dispose();
    }

    private static SubscriptionOptions Merge(SubscriptionOptions? options, string? queueGroup)
    {
        options ??= new SubscriptionOptions();
        return queueGroup is null ? options : options with { QueueGroup = queueGroup };
    }
}
