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
    private readonly TransportAbilities? _abilities;
    private readonly TimeSpan _patience;
    private readonly InMemoryTransport _memory;
    private readonly Channel<Queued> _queue = Channel.CreateUnbounded<Queued>(new() { SingleReader = true });
    private readonly Task _delivering;

    internal TestTransport(string name, TransportAbilities? abilities, HarnessObserver observer, TimeProvider time, ILoggerFactory? loggers, TimeSpan patience)
    {
        (_name, _abilities, _observer, _patience) = (name, abilities, observer, patience);
        _memory = new InMemoryTransport(time, loggers) { Observer = observer, Matches = SourcePattern.Matches };
        _delivering = Task.Run(DeliverAllAsync);
    }

    /// <inheritdoc/>
    public string Name => _memory.Name;

    /// <inheritdoc/>
    /// <remarks>Those of the replaced transport; all of them if they are not known before it is created.</remarks>
    public TransportAbilities Abilities => _abilities ?? _memory.Abilities | TransportAbilities.Durability | TransportAbilities.Deduplication;

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
            return AskAsync(properties, body, ct);
        }

        protected override ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => transport._memory.KeepsCommandsTo(Target.Destination) ? StoreAsync(properties, body, ct) : RequestCoreAsync(in properties, body, ct);

        private async ValueTask<Envelope> StoreAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            await SendAsync(in properties, body, ct).ConfigureAwait(false);
            return new Envelope { Destination = Target.Destination };
        }

        // As over a network, a request without a reply ends: handlers that wait for each other's slots would otherwise wait for ever.
        private async ValueTask<Envelope> AskAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(ct);
            patience.CancelAfter(transport._patience);
            // A request of a handler is part of the handler's work.
            var work = transport._observer.BeginOutermost($"'{Target.Destination}' on transport '{transport._name}'");
            try
            {
                return await _inner.RequestAsync(in properties, body, patience.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException late) when (patience.IsCancellationRequested && !ct.IsCancellationRequested)
            {
                throw new TimeoutException(
                    $"The request to '{Target.Destination}' on transport '{transport._name}' had no reply within {transport._patience.TotalSeconds:0.###} s, IdleTimeout of TestHarnessOptions. "
                    + "Handlers that send requests to their own source wait for its slots, which they hold: MaxConcurrency of the binding is their number.", late);
            }
            finally
            {
                if (work is not null)
                    transport._observer.End(work);
            }
        }

        private static Headers HeadersOf(in MessageProperties properties)
        {
            var headers = new Headers();
            properties.WriteTo(headers);
            return headers;
        }
    }
}
