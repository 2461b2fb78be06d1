using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Benchmarks.Routing;

/// <summary>A transport over a null wire: everything up to the provider's client runs.</summary>
internal sealed class NullTransport(NullWire wire) : ITransport
{
    public string Name => wire.Provider;

    public TransportAbilities Abilities => TransportAbilities.Durability | TransportAbilities.Expiry | TransportAbilities.Deduplication;

    public object? Last { get; private set; }

    public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct) => throw new NotSupportedException();

    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => new(HealthCheckResult.Healthy());

    public ValueTask DisposeAsync() => default;

    private sealed class Sender(NullTransport transport, SendTarget target) : MessageSender(transport, target)
    {
        public override long MaxBodyBytes => 1_000_000;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            transport.Last = transport.Wire.Encode(in properties, body);
            return default;
        }
    }

    private NullWire Wire => wire;
}
