using System.Buffers;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Sends and receives envelopes over NATS: destinations are subjects, groups are queue groups.</summary>
/// <remarks>
/// Thread-safe. Delivery is at most once; through a <see cref="DurableBinding"/> and by <see cref="Streams"/> it is at least
/// once. A failed handler's reply also has the headers of NATS services, so that clients other than Postrider's see the error.
/// Source: docs/guide/transports-seam.md, NATS ADR-32.
/// </remarks>
public sealed class NatsTransport : ITransport
{
    private readonly NatsClient _client;
    private readonly bool _ownsClient;

    /// <summary>Uses a client that the transport does not own; the caller disposes it.</summary>
    /// <param name="client">A connected client.</param>
    public NatsTransport(NatsClient client)
        : this(client, ownsClient: false, new NatsOptions())
    {
    }

    /// <summary>Uses a client that the transport does not own, with options; the caller disposes it.</summary>
    /// <param name="client">A connected client.</param>
    /// <param name="options">The profiles, which are those of <see cref="Streams"/> as well.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range.</exception>
    public NatsTransport(NatsClient client, NatsOptions options)
        : this(client, ownsClient: false, options)
    {
    }

    private NatsTransport(NatsClient client, bool ownsClient, NatsOptions options)
    {
        ArgumentNullException.ThrowIfNull(client);
        (_client, _ownsClient) = (client, ownsClient);
        Streams = new NatsStreamTransport(client, streams: null, options);
    }

    /// <inheritdoc/>
    public string Name => "nats";

    /// <inheritdoc/>
    public TransportAbilities Abilities => PossibleAbilities;

    /// <summary>The abilities, whatever the options are.</summary>
    internal static TransportAbilities PossibleAbilities => TransportAbilities.Requests | TransportAbilities.Redelivery | TransportAbilities.Groups | TransportAbilities.Streams | TransportAbilities.OrderByKey;

    internal NatsClient Client => _client;

    /// <summary>Sends into streams over the same connection: a send completes when the message is stored.</summary>
    public NatsStreamTransport Streams { get; }

    /// <summary>Connects a client that the transport owns.</summary>
    /// <param name="options">The client's options.</param>
    /// <param name="ct">Cancels the attempt to connect.</param>
    /// <returns>A transport that closes the client when it is disposed.</returns>
    /// <exception cref="NatsClientException">No server could be reached, or it rejected the connection.</exception>
    public static async Task<NatsTransport> ConnectAsync(ClientOptions options, CancellationToken ct = default)
        => new(await NatsClient.ConnectAsync(options, ct).ConfigureAwait(false), ownsClient: true, new NatsOptions());

    /// <inheritdoc/>
    /// <remarks>An inbox of the client, below its inbox prefix: the process that sends stream requests needs the permission to publish
    /// there.</remarks>
    public string NewInbox() => _client.NewInbox();

    /// <inheritdoc/>
    /// <remarks>A message through a stream is sent by <see cref="Streams"/>, which can also deduplicate and expire.</remarks>
    public MessageSender OpenSender(SendTarget target)
    {
        Streams.LogProfiles();
        return new NatsSender(this, target);
    }

    /// <inheritdoc/>
    /// <remarks>True for two subjects that can match the same one, over connections to the same server or cluster.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        return NatsCircles.Reaches(_client, destination, listener, binding);
    }

    /// <inheritdoc/>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(receiver);
        Streams.LogProfiles();
        if (binding is AtLeastOnceBinding) return await Streams.ListenAsync(binding, receiver, ct).ConfigureAwait(false);
        var options = new SubscriptionOptions { QueueGroup = binding.Group, Concurrency = binding.MaxConcurrency, StartsInOrder = binding.OrderByKey };
        var subscription = _client.Subscribe<IMemoryOwner<byte>>(binding.Source, (message, stop) => HandleAsync(message, receiver, stop), options: options);
        // Once the server has responded, a following request finds the listener.
        await _client.FlushAsync(ct).ConfigureAwait(false);
        return new Listener(subscription);
    }

    /// <inheritdoc/>
    /// <remarks>Those of <see cref="Streams"/>.</remarks>
    public IDeadLetters OpenDeadLetters(string source) => Streams.OpenDeadLetters(source);

    /// <inheritdoc/>
    /// <remarks>A round trip to the server.</remarks>
    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => NatsHealth.CheckAsync(_client, static async (client, ct) => await client.FlushAsync(ct).ConfigureAwait(false), Streams.Options.Observability.ProbeTimeout, ct);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _ownsClient ? _client.DisposeAsync() : default;

    private async ValueTask HandleAsync(NatsMessage<IMemoryOwner<byte>> message, EnvelopeReceiver receiver, CancellationToken stop)
    {
        using var body = message.Data;
        var envelope = new Envelope
        {
            Destination = message.Subject,
            ReplyTo = message.ReplyTo,
            Headers = NatsHeaderMapping.FromNats(message.Headers),
            Body = body.Memory,
        };
        var answer = await receiver(envelope, stop).ConfigureAwait(false);
        if (answer is not null) await _client.PublishAsync(answer.Destination, answer.Body, headers: NatsHeaderMapping.ToNats(answer.Headers), ct: CancellationToken.None).ConfigureAwait(false);
    }

    private sealed class Listener(NatsSubscription subscription) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync() => await subscription.DrainAsync().ConfigureAwait(false);
    }
}
