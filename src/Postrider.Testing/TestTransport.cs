using System.Threading.Channels;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Testing;

/// <summary>Replaces a transport of the application: in memory, with a queue between sender and handlers like that of a broker.</summary>
internal sealed class TestTransport : ITransport
{
    private readonly string _name;
    private readonly HarnessObserver _observer;
    private readonly TimeSpan _patience;
    private readonly InMemoryTransport _memory;
    private readonly Channel<Queued> _queue = Channel.CreateUnbounded<Queued>(new() { SingleReader = true });
    private readonly Task _delivering;

    internal TestTransport(string name, HarnessObserver observer, TimeProvider time, ILoggerFactory? loggers, TimeSpan patience)
    {
        (_name, _observer, _patience) = (name, observer, patience);
        _memory = new InMemoryTransport(time, loggers) { Observer = observer, Matches = SourcePattern.Matches };
        _delivering = Task.Run(DeliverAllAsync);
    }

    /// <inheritdoc/>
    public string Name => _memory.Name;

    /// <inheritdoc/>
    /// <remarks>All abilities, because those of the replaced transport are not known.</remarks>
    public TransportAbilities Abilities => _memory.Abilities | TransportAbilities.Durability | TransportAbilities.Deduplication;

    /// <inheritdoc/>
    public string NewInbox() => _memory.NewInbox();

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

    /// <inheritdoc/>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
        => new Listener(await _memory.ListenAsync(binding, receiver, ct).ConfigureAwait(false), _patience);

    /// <inheritdoc/>
    public IDeadLetters OpenDeadLetters(string source) => _memory.OpenDeadLetters(source);

    /// <inheritdoc/>
    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => _memory.CheckHealthAsync(ct);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _queue.Writer.TryComplete();
        await _delivering.ConfigureAwait(false);
        await _memory.DisposeAsync().ConfigureAwait(false);
    }

    private async Task DeliverAllAsync()
    {
        // Handlers start in the order of the queue and run until their first wait; a message does not wait for another one's handler.
        await foreach (var queued in _queue.Reader.ReadAllAsync().ConfigureAwait(false))
            _ = DeliverAsync(queued);
    }

    private async Task DeliverAsync(Queued queued)
    {
        _observer.Enter(queued.Work);
        try
        {
            await queued.Sender.SendAsync(queued.Properties, queued.Body, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error) when (error is PostriderException or TimeoutException)
        {
            _observer.OnLost(queued.Destination, error);
        }
        finally
        {
            _observer.End(queued.Work);
        }
    }

    // A handler that never ends has already failed its test: it does not block the shutdown of the host.
    private sealed class Listener(IAsyncDisposable inner, TimeSpan patience) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            try
            {
                await inner.DisposeAsync().AsTask().WaitAsync(patience).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // IdleAsync has reported it.
            }
        }
    }

    private sealed record Queued(MessageSender Sender, string Destination, MessageProperties Properties, ReadOnlyMemory<byte> Body, object Work);

    private sealed class Sender(TestTransport transport, SendTarget target) : MessageSender(transport, target)
    {
        private readonly MessageSender _inner = transport._memory.OpenSender(target);

        protected override TimeProvider TimeProvider => transport._memory.Time;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            // The sender may reuse body and headers.
            ReadOnlyMemory<byte> bytes = body.ToArray();
            var headers = HeadersOf(in properties);
            var own = MessageProperties.From(headers) with { Delay = properties.Delay };
            transport._observer.OnSent(new(transport._name, Target.Destination, headers, bytes, properties.Delay));
            var work = transport._observer.Begin($"'{Target.Destination}' on transport '{transport._name}'");
            if (!transport._queue.Writer.TryWrite(new(_inner, Target.Destination, own, bytes, work)))
            {
                transport._observer.End(work);
                throw new PostriderException(PostriderError.NoListener, $"The transport '{transport._name}' was disposed: the host has stopped.");
            }

            return default;
        }

        protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            transport._observer.OnSent(new(transport._name, Target.Destination, HeadersOf(in properties), body.ToArray(), TimeSpan.Zero));
            return _inner.RequestAsync(in properties, body, ct);
        }

        private static Headers HeadersOf(in MessageProperties properties)
        {
            var headers = new Headers();
            properties.WriteTo(headers);
            return headers;
        }
    }
}
