using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Writes messages into the transaction of their scope; the relay sends them over another transport after the commit.</summary>
internal sealed class OutboxTransport(ITransport inner, string name, OutboxOptions options, TimeProvider time) : ITransport
{
    public string Name => "outbox";

    public TransportAbilities Abilities
        => TransportAbilities.Durability | TransportAbilities.Delay | (inner.Abilities & (TransportAbilities.Expiry | TransportAbilities.Deduplication));

    public bool Reaches(string destination, ITransport listener, TransportBinding binding) => inner.Reaches(destination, listener, binding);

    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        // The row only has a name: the transport's own options would be lost.
        if (target.GetType() != typeof(SendTarget))
            throw new PostriderException(PostriderError.Configuration, $"Messages are sent to '{target.Destination}' through the outbox with a {target.GetType().Name}, whose options the relay does not support: use a SendTarget.");
        return new Sender(this, target);
    }

    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
        => throw new PostriderException(PostriderError.Configuration, $"'{binding?.Source}' is bound on an outbox, which only sends: bind it on the transport '{name}' and add UseInbox there.");

    // The dead letters of the listeners; messages that the relay could not send are in OutboxDeadLetters.
    public IDeadLetters OpenDeadLetters(string source) => inner.OpenDeadLetters(source);

    public ValueTask<string?> FindProblemAsync(SendTarget target, CancellationToken ct) => inner.FindProblemAsync(target, ct);

    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => inner.CheckHealthAsync(ct);

    public ValueTask DisposeAsync() => default;

    private sealed class Sender(OutboxTransport transport, SendTarget target) : ScopedMessageSender(transport, target)
    {
        private readonly string _destination = MessageText.Checked("Destination", target.Destination, MessageText.MaxDestinationChars);
        private readonly MessageSender _inner = transport.Inner.OpenSender(new SendTarget(target.Destination));

        public override long MaxBodyBytes => Math.Min(transport.Options.MaxBodyBytes, _inner.MaxBodyBytes);

        public override string? MaxBodyBytesSetting
            => _inner.MaxBodyBytes < transport.Options.MaxBodyBytes ? _inner.MaxBodyBytesSetting : $"{nameof(OutboxOptions)}.{nameof(OutboxOptions.MaxBodyBytes)}";

        protected override TimeProvider TimeProvider => transport.Time;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, IServiceProvider? services, CancellationToken ct)
        {
            if (services is null)
                throw new PostriderException(PostriderError.Configuration, $"A message to '{_destination}' was sent through the outbox without a scope and therefore without a transaction: use the IDispatcher of a scope, or MessageContext.Follow().");
            var session = services.GetService<IOutboxSession>()
                ?? throw new PostriderException(PostriderError.Configuration, "The outbox has no database: call UseDataSource or UseDbContext after AddPostriderOutbox.");
            var now = transport.Time.GetUtcNow();
            var isLater = properties.Delay > TimeSpan.Zero;
            return session.AddAsync(
                new OutboxMessage
                {
                    Id = MessageText.Checked("Message id", properties.MessageId ?? Guid.CreateVersion7().ToString("N"), MessageText.MaxIdChars),
                    Transport = transport.InnerName,
                    Destination = _destination,
                    Key = properties.Key is { Length: > 0 } key ? MessageText.Checked("Key", key, MessageText.MaxKeyChars) : null,
                    Headers = MessageText.Write(in properties, _destination),
                    Body = body.ToArray(),
                    State = isLater ? OutboxState.Scheduled : OutboxState.Ready,
                    CreatedAt = now.ToUnixTimeMilliseconds(),
                    DueAt = isLater ? Later(now, properties.Delay) : 0,
                },
                ct);
        }

        // Rounded up: the column has whole milliseconds.
        private static long Later(DateTimeOffset now, TimeSpan delay)
            => delay < DateTimeOffset.MaxValue - now ? (now + delay).ToUnixTimeMilliseconds() + 1 : DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();
    }

    private ITransport Inner => inner;

    private string InnerName => name;

    private OutboxOptions Options => options;

    private TimeProvider Time => time;
}
