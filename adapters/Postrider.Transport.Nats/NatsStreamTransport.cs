using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Sends envelopes into streams: a send completes when a stream has stored the message, and a repeated message is stored once.</summary>
/// <remarks>
/// Thread-safe. The message id for deduplication is the header <see cref="HeaderNames.IdempotencyKey"/>, else
/// <see cref="HeaderNames.MessageId"/>, else one created for the call: it is the same for every attempt of the call, and within the
/// stream's duplicate window a repetition has no effect. Route commands here: they complete when they are stored, and a
/// <see cref="DurableBinding"/> handles them wherever it runs.
/// </remarks>
public sealed partial class NatsStreamTransport : ITransport
{
    private readonly string? _schedules;
    private int _logged;

    /// <summary>Uses a client that the transport does not own; the caller disposes it.</summary>
    /// <param name="client">A connected client.</param>
    /// <param name="retry">Which failed publishes are retried; null for <see cref="DefaultRetry"/>.</param>
    /// <param name="streams">The JetStream domain and the like; null for the client's own.</param>
    public NatsStreamTransport(NatsClient client, RetryPolicy? retry = null, JetStreamOptions? streams = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        (Client, Streams, Retry, Options) = (client, client.CreateJetStreamContext(streams), retry ?? DefaultRetry, new NatsOptions());
        InFlight = new(Options.Throughput.MaxInFlight);
    }

    /// <summary>Uses a client that the transport does not own, with options; the caller disposes it.</summary>
    /// <param name="client">A connected client.</param>
    /// <param name="streams">The JetStream domain and the like; null for the client's own.</param>
    /// <param name="options">The profiles.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range.</exception>
    public NatsStreamTransport(NatsClient client, JetStreamOptions? streams, NatsOptions options)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        NatsOptionsCheck.Check(options);
        (Client, Streams, Retry, Options) = (client, client.CreateJetStreamContext(streams), options.Retry.Policy, options);
        InFlight = new(options.Throughput.MaxInFlight);
        Schedules = options.Schedules;
    }

    /// <summary>8 attempts, exponential backoff with jitter up to 2 s, for failures caused by a lost connection, a restart or an election.</summary>
    public static RetryPolicy DefaultRetry { get; } = new()
    {
        MaxAttempts = 8,
        BaseDelay = TimeSpan.FromMilliseconds(100),
        MaxDelay = TimeSpan.FromSeconds(2),
        Handle = IsPassing,
    };

    /// <inheritdoc/>
    public string Name => "nats-stream";

    /// <inheritdoc/>
    public TransportAbilities Abilities => Schedules is null ? AbilitiesWithoutDelay : PossibleAbilities;

    /// <summary>The abilities with <see cref="Schedules"/>.</summary>
    internal static TransportAbilities PossibleAbilities => AbilitiesWithoutDelay | TransportAbilities.Delay;

    /// <summary>The abilities without <see cref="Schedules"/>.</summary>
    internal static TransportAbilities AbilitiesWithoutDelay
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Expiry | TransportAbilities.Deduplication | TransportAbilities.OrderByKey;

    /// <summary>The first token of the subjects on which delayed messages wait, such as <c>later</c> for <c>later.&gt;</c>; null, the default, for
    /// a transport without delays.</summary>
    /// <remarks>The stream that has the destination must have these subjects as well, and <see cref="Client.JetStream.Models.StreamConfig.AllowMessageSchedules"/>.
    /// Each delayed message has its own subject there until the server moves it to its destination. Requires nats-server 2.12. Source: NATS
    /// ADR-51.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is not the beginning of a subject.</exception>
    public string? Schedules
    {
        get => _schedules;
        init
        {
            NatsOptionsCheck.CheckSchedules(value);
            _schedules = value;
        }
    }

    /// <summary>The problem of a subject that no stream has.</summary>
    internal static string WithoutStream(string subject)
        => $"No stream has the subject '{subject}'. Create one, in a host with AddPostriderStreams, or correct the destination of the route.";

    internal NatsClient Client { get; }

    internal JetStreamContext Streams { get; }

    internal RetryPolicy Retry { get; }

    internal NatsOptions Options { get; }

    /// <summary>A slot for each message that a stream has not acknowledged yet.</summary>
    internal SemaphoreSlim InFlight { get; }

    /// <summary>Whether a failed publish may succeed later: no response, no stream leader, no connection.</summary>
    /// <param name="failure">The exception of the publish: the client's, or that of a route.</param>
    /// <returns>False when a stream rejected the message, and when the client is closed.</returns>
    public static bool IsPassing(Exception failure)
        => failure is JetStreamException { ApiCode: >= 500 } or JetStreamException { ErrorCode: JetStreamErrors.DuplicateInProcess }
            or PostriderException { Error: PostriderError.Unavailable } or TimeoutException
            or NatsClientException
        {
            Code: NatsErrorCode.RequestTimeout or NatsErrorCode.JetStreamUnavailable or NatsErrorCode.ConnectionLost
                    or NatsErrorCode.ReconnectBufferFull or NatsErrorCode.NoResponders
        };

    /// <inheritdoc/>
    /// <remarks>A send completes when a stream has stored the message.</remarks>
    public MessageSender OpenSender(SendTarget target)
    {
        LogProfiles();
        return new NatsStreamSender(this, target);
    }

    /// <inheritdoc/>
    /// <remarks>True for two subjects that can match the same one, over connections to the same server or cluster.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        return NatsCircles.Reaches(Client, destination, listener, binding);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not a <see cref="DurableBinding"/>, or one that contradicts itself.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(receiver);
        LogProfiles();
        if (binding is not DurableBinding durable)
            throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a durable consumer, which transport '{Name}' requires: use a {nameof(DurableBinding)}.");
        // The server may come later: until then its answer would be a time-out.
        if (Client.Options.RetryFirstConnect)
            await Client.FlushAsync(ct).ConfigureAwait(false);
        return await DurableListener.StartAsync(this, durable, receiver, ct).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>Requests the account's limits from JetStream.</remarks>
    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
        => NatsHealth.CheckAsync(Client, async (_, ct) => await Streams.GetAccountInfoAsync(ct).ConfigureAwait(false), Options.Observability.ProbeTimeout, ct);

    /// <inheritdoc/>
    /// <remarks>Asks JetStream for a stream with the subject. While the client is not connected, or JetStream does not answer, there is no
    /// problem of the destination.</remarks>
    public async ValueTask<string?> FindProblemAsync(SendTarget target, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (Client.State != ConnectionState.Connected) return null;
        try
        {
            return await Streams.FindStreamNameAsync(target.Destination, ct).ConfigureAwait(false) is null ? WithoutStream(target.Destination) : null;
        }
        catch (NatsClientException)
        {
            // Not a problem of this destination: sends report it, and so does the health check.
            return null;
        }
    }

    /// <inheritdoc/>
    /// <remarks>The stream that stores the subject keeps them. A redelivered one is published to the subject where it arrived, and every
    /// consumer of that subject gets it.</remarks>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        return new NatsDeadLetters(this, source);
    }

    /// <summary>Does nothing: the client belongs to the caller.</summary>
    /// <returns>A completed task.</returns>
    public ValueTask DisposeAsync() => default;

    /// <summary>Logs the effective profiles, once.</summary>
    internal void LogProfiles()
    {
        if (!Options.Observability.LogProfiles || Volatile.Read(ref _logged) != 0 || Interlocked.Exchange(ref _logged, 1) != 0) return;
        if (Client.Options.LoggerFactory?.CreateLogger<NatsTransport>() is { } logger)
            LogProfiles(logger, Client.ConnectedServer, Options.Throughput, Options.Retry, Options.Poison, Options.Observability);
    }

    [LoggerMessage(5, LogLevel.Information, "Uses NATS at {Server}. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}.")]
    private static partial void LogProfiles(ILogger logger, string? server, NatsThroughput throughput, NatsRetry retry, NatsPoison poison, NatsObservability observability);
}
