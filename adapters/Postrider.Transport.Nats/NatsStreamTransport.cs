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
public sealed class NatsStreamTransport : ITransport
{
    private readonly NatsClient _client;
    private readonly JetStreamContext _streams;
    private readonly RetryPolicy _retry;

    /// <summary>Uses a client that the transport does not own; the caller disposes it.</summary>
    /// <param name="client">A connected client.</param>
    /// <param name="retry">Which failed publishes are retried; null for <see cref="DefaultRetry"/>.</param>
    public NatsStreamTransport(NatsClient client, RetryPolicy? retry = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        (_client, _streams, _retry) = (client, client.CreateJetStreamContext(), retry ?? DefaultRetry);
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

    internal NatsClient Client => _client;

    /// <summary>Whether a publish that failed this way may succeed later: no answer, no stream leader, no connection.</summary>
    /// <param name="failure">The exception of the publish.</param>
    /// <returns>False when a stream rejected the message, and when the client is closed.</returns>
    public static bool IsPassing(Exception failure)
        => failure is JetStreamException { ApiCode: >= 500 } or JetStreamException { ErrorCode: JetStreamErrors.DuplicateInProcess }
            or NatsClientException
        {
            Code: NatsErrorCode.RequestTimeout or NatsErrorCode.JetStreamUnavailable or NatsErrorCode.ConnectionLost
                    or NatsErrorCode.ReconnectBufferFull or NatsErrorCode.NoResponders
        };

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: no stream stores that subject.</exception>
    /// <exception cref="NatsClientException">It was not stored, or its storage was not confirmed in time.</exception>
    public async ValueTask SendAsync(Envelope envelope, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        await StoreAsync(envelope, ct).ConfigureAwait(false);
    }

    /// <summary>Sends the message; the only answer is that it is stored.</summary>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait; the message may still be stored.</param>
    /// <returns>An envelope without a body, as for a message without a result.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: no stream stores that subject.</exception>
    /// <exception cref="NatsClientException">It was not stored, or its storage was not confirmed in time.</exception>
    public async ValueTask<Envelope> RequestAsync(Envelope envelope, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        await StoreAsync(envelope, ct).ConfigureAwait(false);
        return new Envelope { Destination = envelope.Destination };
    }

    /// <inheritdoc/>
    /// <remarks>True for two subjects that can match the same one, over connections to the same server or cluster.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        return NatsCircles.Reaches(_client, destination, listener, binding);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not a <see cref="DurableBinding"/>, or one that contradicts itself.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(receiver);
        return binding is DurableBinding durable
            ? await DurableListener.StartAsync(_client, _streams, durable, receiver, ct).ConfigureAwait(false)
            : throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a durable consumer, which transport '{Name}' requires: use a {nameof(DurableBinding)}.");
    }

    /// <summary>Does nothing: the client belongs to the caller.</summary>
    /// <returns>A completed task.</returns>
    public ValueTask DisposeAsync() => default;

    private async ValueTask StoreAsync(Envelope envelope, CancellationToken ct)
    {
        var id = envelope.Headers[HeaderNames.IdempotencyKey] ?? envelope.Headers[HeaderNames.MessageId] ?? Guid.CreateVersion7().ToString("N");
        var options = new PublishOptions { MessageId = id };
        var headers = NatsHeaderMapping.ToNats(envelope.Headers);
        var delay = TimeSpan.Zero;
        _retry.Budget?.Deposit();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await _streams.PublishAsync(envelope.Destination, envelope.Body, options, headers, ct: ct).ConfigureAwait(false);
                return;
            }
            catch (NatsClientException failure) when (!ct.IsCancellationRequested && _retry.TryPlan(failure, attempt, delay, out delay))
            {
                // The plan holds the delay; the client's events tell of a lost connection.
            }
            catch (NatsClientException nobody) when (nobody.Code == NatsErrorCode.JetStreamUnavailable)
            {
                throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{envelope.Destination}' on transport '{Name}'.", nobody);
            }

            if (delay > TimeSpan.Zero) await Task.Delay(delay, _client.Options.TimeProvider, ct).ConfigureAwait(false);
        }
    }
}
