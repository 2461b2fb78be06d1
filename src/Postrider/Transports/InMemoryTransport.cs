using System.Collections.Concurrent;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A transport inside the process, for tests and for a monolith that may be split later.</summary>
/// <remarks>Thread-safe. Destinations are exact names. Listeners of one group take turns; a request goes to one listener.
/// Bodies are copied, as on a real connection. With an <see cref="AtLeastOnceBinding"/>, a failed message is delivered again, dead letters
/// are sent to their destination, and the sender of a command waits for its first attempt without learning of a failure. Nothing outlives
/// the process, and a message without a listener is lost; of dead letters without one the last 1,000 of each destination are kept
/// (<see cref="OpenDeadLetters"/>).</remarks>
/// <param name="time">The clock of delays, expiry and retries; null for the system's.</param>
/// <param name="loggers">Log dead letters; null for no logs.</param>
public sealed class InMemoryTransport(TimeProvider? time = null, ILoggerFactory? loggers = null) : ITransport
{
    private readonly ConcurrentDictionary<string, InMemoryListener[]> _listeners = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, InMemoryDeadLetters> _deadLetters = new(StringComparer.Ordinal);
    private readonly Lock _changing = new(); // guards read-modify-write of _listeners' values
    private int _turn;
    private int _disposed;

    /// <inheritdoc/>
    public string Name => "memory";

    /// <inheritdoc/>
    public TransportAbilities Abilities
        => TransportAbilities.Requests | TransportAbilities.Redelivery | TransportAbilities.Delay | TransportAbilities.Expiry | TransportAbilities.Groups
            | TransportAbilities.OrderByKey | TransportAbilities.Streams;

    internal TimeProvider Time { get; } = time ?? TimeProvider.System;

    /// <summary>Observes the transport's work; null for no observer.</summary>
    internal MessageObserver? Observer { get; init; }

    /// <summary>Whether a binding's source matches a destination; null for exact names.</summary>
    internal Func<string, string, bool>? Matches { get; init; }

    internal ILogger Logger { get; } = loggers?.CreateLogger<InMemoryTransport>() ?? (ILogger)NullLogger.Instance;

    /// <inheritdoc/>
    public string NewInbox() => $"inbox.{Guid.NewGuid():N}";

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

    /// <inheritdoc/>
    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(receiver);
        var listener = new InMemoryListener(this, binding, receiver);
        lock (_changing)
            _listeners[binding.Source] = [.. _listeners.GetValueOrDefault(binding.Source, []), listener];
        return new(listener);
    }

    /// <inheritdoc/>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        return DeadLettersOf(source);
    }

    /// <inheritdoc/>
    /// <remarks>Healthy until it is disposed.</remarks>
    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
        => new(Volatile.Read(ref _disposed) == 0 ? HealthCheckResult.Healthy("The transport is in this process.") : HealthCheckResult.Unhealthy("The transport was disposed."));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Volatile.Write(ref _disposed, 1);
        foreach (var listener in _listeners.Values.SelectMany(l => l).ToArray())
            await listener.DisposeAsync().ConfigureAwait(false);
    }

    internal bool HasListener(string destination) => Find(destination) is not null;

    /// <summary>Whether commands to a destination are kept until they are handled: a binding there delivers them at least once.</summary>
    internal bool KeepsCommandsTo(string destination)
        => Find(destination) is { } listeners && Array.Exists(listeners, static listener => listener.Binding is AtLeastOnceBinding { RepliesToCommands: false });

    /// <summary>Sends dead letters to their listeners, and keeps those without one.</summary>
    internal MessageSender OpenDeadLetterSender(string source) => new Sender(this, source, DeadLettersOf(source));

    internal void Remove(InMemoryListener listener)
    {
        var source = listener.Binding.Source;
        lock (_changing)
        {
            var left = _listeners.GetValueOrDefault(source, []).Where(l => l != listener).ToArray();
            if (left.Length == 0)
                _listeners.TryRemove(source, out _);
            else
                _listeners[source] = left;
        }
    }

    private InMemoryDeadLetters DeadLettersOf(string source) => _deadLetters.GetOrAdd(source, static (name, transport) => new(transport, name), this);

    private async ValueTask SendAsync(Envelope envelope, CancellationToken ct)
    {
        if (Find(envelope.Destination) is { } listeners)
            await SendAsync(envelope, listeners, ct).ConfigureAwait(false);
    }

    private async ValueTask SendAsync(Envelope envelope, InMemoryListener[] listeners, CancellationToken ct)
    {
        foreach (var group in listeners.GroupBy(l => l.Binding.Group, StringComparer.Ordinal))
        {
            if (group.Key is not null)
                await Pick([.. group]).ReceiveAsync(Copy(envelope, replyTo: null), ct).ConfigureAwait(false);
            else
            {
                foreach (var listener in group)
                    await listener.ReceiveAsync(Copy(envelope, replyTo: null), ct).ConfigureAwait(false);
            }
        }
    }

    private async ValueTask<Envelope> RequestAsync(Envelope envelope, CancellationToken ct)
    {
        if (Find(envelope.Destination) is not { } listeners)
        {
            throw new PostriderException(
                PostriderError.NoListener, $"There is no listener at '{envelope.Destination}' on transport '{Name}'.");
        }

        var answer = await Pick(listeners).ReceiveAsync(Copy(envelope, replyTo: "reply"), ct).ConfigureAwait(false);
        return answer is null
            ? throw new PostriderException(PostriderError.NoListener, $"The listener at '{envelope.Destination}' did not reply.")
            : Copy(answer, replyTo: null);
    }

    private InMemoryListener[]? Find(string destination)
        => Matches is { } matches ? Find(destination, matches) : _listeners.GetValueOrDefault(destination);

    // A separate method: the closure is allocated where the method starts.
    private InMemoryListener[]? Find(string destination, Func<string, string, bool> matches)
    {
        InMemoryListener[] matching = [.. _listeners.Where(source => matches(source.Key, destination)).SelectMany(source => source.Value)];
        return matching.Length == 0 ? null : matching;
    }

    private InMemoryListener Pick(InMemoryListener[] listeners)
        => listeners[(int)((uint)Interlocked.Increment(ref _turn) % (uint)listeners.Length)];

    /// <summary>Informs the observer that the calling flow waits with a message and then delivers it.</summary>
    internal object? Begin(Envelope envelope)
    {
        if (Observer?.Begin($"'{envelope.Destination}' on transport '{Name}'") is not { } work)
            return null;
        Observer.Enter(work);
        return work;
    }

    internal void End(object? work)
    {
        if (work is not null)
            Observer!.End(work);
    }

    private static Envelope Copy(Envelope envelope, string? replyTo)
    {
        var headers = new Headers();
        foreach (var (name, value) in envelope.Headers)
            headers.Add(name, value);
        return new Envelope
        {
            Destination = envelope.Destination,
            ReplyTo = replyTo,
            Headers = headers,
            Body = envelope.Body.ToArray(),
        };
    }

    private sealed class Sender(InMemoryTransport transport, SendTarget target, InMemoryDeadLetters? kept = null) : MessageSender(transport, target)
    {
        protected override TimeProvider TimeProvider => transport.Time;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            if (properties.Delay <= TimeSpan.Zero)
            {
                switch (transport.Find(Target.Destination))
                {
                    // This envelope has no other reader: only the body is copied.
                    case [var only]: return Received(only.ReceiveAsync(Envelope(in properties, body.ToArray()), ct));
                    case { } several: return transport.SendAsync(Envelope(in properties, body), several, ct);
                }

                kept?.Add(Envelope(in properties, body).Headers, body);
                return default;
            }

            var envelope = Envelope(in properties, body);
            // The caller may reuse its bytes when the task completes, which is immediately.
            _ = SendLaterAsync(Copy(envelope, replyTo: null), properties.Delay);
            return default;
        }

        protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => transport.RequestAsync(Envelope(in properties, body), ct);

        protected override ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => transport.KeepsCommandsTo(Target.Destination) ? KeepAsync(properties, body, ct) : RequestCoreAsync(in properties, body, ct);

        private async ValueTask<Envelope> KeepAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            await SendAsync(in properties, body, ct).ConfigureAwait(false);
            return new Envelope { Destination = Target.Destination };
        }

        private static ValueTask Received(ValueTask<Envelope?> receiving)
        {
            if (!receiving.IsCompletedSuccessfully)
                return WaitAsync(receiving);
            _ = receiving.Result;
            return default;

            static async ValueTask WaitAsync(ValueTask<Envelope?> receiving) => await receiving.ConfigureAwait(false);
        }

        private async Task SendLaterAsync(Envelope envelope, TimeSpan delay)
        {
            // Started before the wait: when the clock ends it, the delivery already counts as running, whatever thread it continues on.
            var work = transport.Begin(envelope);
            try
            {
                await LongDelay.WaitAsync(delay, transport.Time, CancellationToken.None).ConfigureAwait(false);
                await transport.SendAsync(envelope, CancellationToken.None).ConfigureAwait(false);
            }
            catch (PostriderException late)
            {
                InMemoryListener.LogGone(transport.Logger, envelope.Destination, late);
            }
            finally
            {
                transport.End(work);
            }
        }

        private Envelope Envelope(in MessageProperties properties, ReadOnlyMemory<byte> body)
        {
            var headers = new Headers();
            properties.WriteTo(headers);
            return new Envelope { Destination = Target.Destination, Headers = headers, Body = body };
        }
    }
}
