using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.OutboxTests.Harness;

/// <summary>The transport in memory, behind which sends fail as a test says.</summary>
internal sealed class BreakableTransport(TimeProvider? time = null) : ITransport
{
    private readonly InMemoryTransport _inner = new(time);
    private int _sends;

    /// <summary>Asked before each send with what is sent; an exception is the send's.</summary>
    public Func<MessageProperties, ReadOnlyMemory<byte>, Exception?>? Fault { get; set; }

    /// <summary>Awaited before each send, until the send is cancelled.</summary>
    public Func<MessageProperties, Task>? Before { get; set; }

    public long MaxBodyBytes { get; set; } = long.MaxValue;

    public int Sends => _sends;

    public string Name => "memory";

    public TransportAbilities Abilities => _inner.Abilities | TransportAbilities.Durability;

    public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct) => _inner.ListenAsync(binding, receiver, ct);

    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => _inner.CheckHealthAsync(ct);

    public ValueTask DisposeAsync() => _inner.DisposeAsync();

    private sealed class Sender(BreakableTransport transport, SendTarget target) : MessageSender(transport, target)
    {
        private readonly MessageSender _inner = transport._inner.OpenSender(target);

        public override long MaxBodyBytes => transport.MaxBodyBytes;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => SendAfterAsync(properties, body, ct);

        private async ValueTask SendAfterAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            if (transport.Before is { } before)
                await before(properties).WaitAsync(ct);
            Interlocked.Increment(ref transport._sends);
            if (transport.Fault?.Invoke(properties, body) is { } fault)
                throw fault;
            await _inner.SendAsync(in properties, body, ct);
        }
    }
}
