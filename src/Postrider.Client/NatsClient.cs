using Postrider.Client.JetStream;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.Client.Requests;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A client of a NATS server or cluster: publishes, subscribes, asks and answers over one connection.</summary>
/// <remarks>
/// Thread-safe; one client serves a whole process. A lost connection is made anew with every subscription, and what is
/// published meanwhile is kept up to <see cref="ClientOptions.ReconnectBufferBytes"/>. Delivery is at most once.
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

    /// <summary>Told of everything worth knowing, in order, on a thread of the pool.</summary>
    public event Action<ClientEvent>? EventOccurred
    {
        add => _session.Events.Occurred += value;
        remove => _session.Events.Occurred -= value;
    }

    /// <summary>Where the client stands.</summary>
    public ConnectionState State => _session.State;

    /// <summary>The server's newest INFO; null while there is no connection.</summary>
    public ServerInfo? ServerInfo => _session.ServerConnection?.Info;

    /// <summary>The server's address, <c>host:port</c>; null while there is no connection.</summary>
    public string? ConnectedServer => _session.ServerConnection?.Server.Address.HostAndPort;

    /// <summary>The servers that are known, <c>host:port</c>, discovered ones included.</summary>
    public IReadOnlyList<string> KnownServers => _session.Servers.Addresses;

    /// <summary>The options the client was made with.</summary>
    public ClientOptions Options => _session.Options;

    /// <summary>What was sent and received so far.</summary>
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

    /// <summary>Finds services that run.</summary>
    public ServiceDiscovery Services { get; }

    /// <summary>Connects.</summary>
    /// <param name="server">One or more addresses, separated by commas: <c>nats://[user:password@]host[:port]</c>.</param>
    /// <param name="configure">Changes further options; null for the defaults.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>A connected client.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or it refused.</exception>
    public static Task<NatsClient> ConnectAsync(string server = "nats://127.0.0.1:4222", Action<ClientOptions>? configure = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(server);
        var options = new ClientOptions { Servers = server.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) };
        configure?.Invoke(options);
        return ConnectAsync(options, ct);
    }

    /// <summary>Connects.</summary>
    /// <param name="options">Everything there is to say.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>A connected client.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or it refused.</exception>
    public static async Task<NatsClient> ConnectAsync(ClientOptions options, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        var client = new NatsClient(options with { });
        try
        {
            await client._session.ConnectAsync(ct).ConfigureAwait(false);
            return client;
        }
        catch
        {
            client._requester.Dispose();
            throw;
        }
    }

    /// <summary>Publishes a value.</summary>
    /// <typeparam name="T">The value's type; bytes in any form, strings and numbers need no serializer.</typeparam>
    /// <param name="subject">Where to.</param>
    /// <param name="data">The value; null is an empty payload.</param>
    /// <param name="replyTo">Where an answer is expected, or null.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <param name="ct">Ends the wait for room; the message is on its way then.</param>
    /// <returns>Done at once while less than <see cref="ClientOptions.MaxPendingBytes"/> wait to be sent.</returns>
    /// <exception cref="NatsClientException">An invalid subject, a payload larger than the server takes, no serializer, a
    /// closed client or a full reconnect buffer. What the server refuses later is told by <see cref="EventOccurred"/>.</exception>
    public ValueTask PublishAsync<T>(
        string subject, T data, string? replyTo = null, NatsHeaders? headers = null, IPayloadSerializer<T>? serializer = null, CancellationToken ct = default)
        => _session.PublishAsync(subject, data, replyTo, headers, serializer, ct);

    /// <summary>Publishes an empty payload.</summary>
    /// <param name="subject">Where to.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Ends the wait for room.</param>
    /// <returns>As the other publish.</returns>
    public ValueTask PublishAsync(string subject, NatsHeaders? headers = null, CancellationToken ct = default)
        => _session.PublishBytesAsync(subject, default, headers, default, ct);

    /// <summary>Publishes bytes where they lie.</summary>
    /// <param name="subject">Where to.</param>
    /// <param name="payload">Copied before the call returns.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Ends the wait for room.</param>
    /// <returns>As the other publish.</returns>
    public ValueTask PublishAsync(string subject, ReadOnlySpan<byte> payload, NatsHeaders? headers = null, CancellationToken ct = default)
        => _session.PublishBytesAsync(subject, default, headers, payload, ct);

    /// <summary>Subscribes; the messages are read as a stream.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <param name="options">Everything else; its queue group gives way to <paramref name="queueGroup"/>.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <returns>The subscription. The server learns of it before anything sent later by this client.</returns>
    /// <exception cref="NatsClientException">An invalid subject, no serializer, or a client that is closed or draining.
    /// A refusal by the server ends the stream with an exception.</exception>
    public NatsSubscription<T> Subscribe<T>(string subject, string? queueGroup = null, SubscriptionOptions? options = null, IPayloadSerializer<T>? serializer = null)
    {
        var subscription = new NatsSubscription<T>(_session, subject, Merge(options, queueGroup), serializer ?? _session.Options.Serializers.Get<T>());
        _session.Subscribe(subscription);
        return subscription;
    }

    /// <summary>Subscribes; each message is given to a handler on a thread of the pool, in order unless <see cref="SubscriptionOptions.Concurrency"/> says otherwise.</summary>
    /// <typeparam name="T">The payload's type.</typeparam>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="handler">The handler. Its token is cancelled when the subscription or the client is disposed. What it throws is told by <see cref="EventOccurred"/>.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <param name="options">Everything else; its queue group gives way to <paramref name="queueGroup"/>.</param>
    /// <param name="serializer">The serializer; null finds one.</param>
    /// <returns>The subscription; dispose or drain it to end.</returns>
    /// <exception cref="NatsClientException">As the other subscribe.</exception>
    public NatsSubscription Subscribe<T>(
        string subject,
        Func<NatsMessage<T>, CancellationToken, ValueTask> handler,
        string? queueGroup = null,
        SubscriptionOptions? options = null,
        IPayloadSerializer<T>? serializer = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        var subscription = new NatsSubscription<T>(_session, subject, Merge(options, queueGroup), serializer ?? _session.Options.Serializers.Get<T>());
        var pump = new HandlerLoop<T>(subscription, handler, subscription.Options.Concurrency);
        _session.Subscribe(subscription);
        subscription.ReadBy(pump);
        return subscription;
    }

    /// <summary>Subscribes; each message is given to a handler where it was received. The fastest way, for handlers that never block.</summary>
    /// <param name="subject">The subject, with or without wildcards.</param>
    /// <param name="handler">Runs on the receiving thread.</param>
    /// <param name="queueGroup">The queue group, or null for every message.</param>
    /// <returns>The subscription; dispose or drain it to end.</returns>
    /// <exception cref="NatsClientException">As the other subscribe.</exception>
    public NatsSubscription SubscribeRaw(string subject, RawMessageHandler handler, string? queueGroup = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        var subscription = new RawSubscription(_session, subject, Merge(null, queueGroup), handler);
        _session.Subscribe(subscription);
        return subscription;
    }

    /// <summary>Asks and waits for the answer.</summary>
    /// <typeparam name="TRequest">The question's type.</typeparam>
    /// <typeparam name="TReply">The answer's type.</typeparam>
    /// <param name="subject">Whom.</param>
    /// <param name="data">The question; null is an empty payload.</param>
    /// <param name="timeout">How long to wait; null for <see cref="ClientOptions.RequestTimeout"/>.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="requestSerializer">The question's serializer; null finds one.</param>
    /// <param name="replySerializer">The answer's serializer; null finds one.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The answer. Await it once.</returns>
    /// <exception cref="NatsNoRespondersException">Nobody listens; known at once.</exception>
    /// <exception cref="NatsClientException">No answer in time (<see cref="NatsErrorCode.RequestTimeout"/>), the publish was
    /// refused (<see cref="NatsErrorCode.PermissionDenied"/>), or as publish.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> was cancelled.</exception>
    public ValueTask<NatsMessage<TReply>> RequestAsync<TRequest, TReply>(
        string subject,
        TRequest data,
        TimeSpan? timeout = null,
        NatsHeaders? headers = null,
        IPayloadSerializer<TRequest>? requestSerializer = null,
        IPayloadSerializer<TReply>? replySerializer = null,
        CancellationToken ct = default)
        => _requester.RequestAsync(subject, data, timeout, headers, requestSerializer, replySerializer, ct);

    /// <summary>Asks with an empty payload and waits for the answer.</summary>
    /// <typeparam name="TReply">The answer's type.</typeparam>
    /// <param name="subject">Whom.</param>
    /// <param name="timeout">How long to wait; null for <see cref="ClientOptions.RequestTimeout"/>.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The answer. Await it once.</returns>
    /// <exception cref="NatsClientException">As the other request.</exception>
    public ValueTask<NatsMessage<TReply>> RequestAsync<TReply>(string subject, TimeSpan? timeout = null, CancellationToken ct = default)
        => _requester.RequestAsync<ReadOnlyMemory<byte>, TReply>(subject, default, timeout, null, null, null, ct);

    /// <summary>Asks everybody who listens and reads the answers as they come.</summary>
    /// <typeparam name="TRequest">The question's type.</typeparam>
    /// <typeparam name="TReply">The answers' type.</typeparam>
    /// <param name="subject">Whom.</param>
    /// <param name="data">The question; null is an empty payload.</param>
    /// <param name="options">When enough answers have come; null for all within the request timeout.</param>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="requestSerializer">The question's serializer; null finds one.</param>
    /// <param name="replySerializer">The answers' serializer; null finds one.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>The answers; the stream ends as the options say, without an error.</returns>
    /// <exception cref="NatsNoRespondersException">Nobody listens.</exception>
    public IAsyncEnumerable<NatsMessage<TReply>> RequestManyAsync<TRequest, TReply>(
        string subject,
        TRequest data,
        RequestManyOptions? options = null,
        NatsHeaders? headers = null,
        IPayloadSerializer<TRequest>? requestSerializer = null,
        IPayloadSerializer<TReply>? replySerializer = null,
        CancellationToken ct = default)
        => RequestMany.ReadAsync(_session, subject, data, options ?? new RequestManyOptions(), headers, requestSerializer, replySerializer, ct);

    /// <summary>Offers a service: add its endpoints to what is returned.</summary>
    /// <param name="options">What it says of itself.</param>
    /// <returns>A service that answers at <c>$SRV</c>; dispose it to end.</returns>
    /// <exception cref="NatsClientException">A name or version of the wrong form.</exception>
    public NatsService AddService(ServiceOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new NatsService(_session, options);
    }

    /// <summary>Durable messaging: streams, consumers, and publishes that are acknowledged when they are stored.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option makes no sense. Nothing is asked of the server yet.</exception>
    public JetStreamContext CreateJetStreamContext(JetStreamOptions? options = null) => new(_session, _requester, options ?? new JetStreamOptions());

    /// <summary>Buckets of keys and values.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option makes no sense. Nothing is asked of the server yet.</exception>
    public KeyValueContext CreateKeyValueContext(JetStreamOptions? options = null) => new(CreateJetStreamContext(options));

    /// <summary>Buckets of objects of any size.</summary>
    /// <param name="options">The domain, timeouts and retries; null for the defaults.</param>
    /// <returns>A context over this connection.</returns>
    /// <exception cref="NatsClientException">An option makes no sense. Nothing is asked of the server yet.</exception>
    public ObjectStoreContext CreateObjectStoreContext(JetStreamOptions? options = null) => new(CreateJetStreamContext(options));

    /// <summary>A subject that nobody else uses, for answers.</summary>
    /// <returns>The prefix and a unique id.</returns>
    public string NewInbox() => _session.NewInbox();

    /// <summary>Waits until the server has received everything sent so far.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>Done at the server's answer.</returns>
    /// <exception cref="NatsClientException">The connection ended first, or the client is closed.</exception>
    public Task FlushAsync(CancellationToken ct = default) => _session.PingAsync(ct);

    /// <summary>Measures a round trip to the server.</summary>
    /// <param name="ct">Gives up.</param>
    /// <returns>The time from PING to PONG.</returns>
    /// <exception cref="NatsClientException">The connection ended first, or the client is closed.</exception>
    public Task<TimeSpan> PingAsync(CancellationToken ct = default) => _session.PingAsync(ct);

    /// <summary>What <see cref="EventOccurred"/> tells, as a stream that begins now.</summary>
    /// <param name="ct">Stops reading.</param>
    /// <returns>Events in order; ends when the client is closed.</returns>
    public IAsyncEnumerable<ClientEvent> ReadEventsAsync(CancellationToken ct = default) => _session.Events.ReadAsync(ct);

    /// <summary>Ends every subscription, waits until what they had was handled, flushes and closes.</summary>
    /// <param name="ct">Gives up waiting and closes.</param>
    /// <returns>Done when the client is closed.</returns>
    /// <exception cref="OperationCanceledException">It took longer than <see cref="ClientOptions.DrainTimeout"/>, or <paramref name="ct"/> was cancelled; the client is closed.</exception>
    public Task DrainAsync(CancellationToken ct = default) => _session.DrainAsync(ct);

    /// <summary>Sends what was published, and closes.</summary>
    /// <returns>Done when the client is closed.</returns>
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
