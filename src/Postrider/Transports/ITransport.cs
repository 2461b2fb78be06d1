using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Transports;

/// <summary>Exchanges messages with other processes; implemented by adapters.</summary>
/// <remarks>Thread-safe. A transport sends, receives and settles; it does not know messages, serializers or handlers, and the outcome of
/// a failed message is decided by <see cref="DeliveryProcessor"/>. See docs/guide/transports-seam.md.</remarks>
public interface ITransport : IAsyncDisposable
{
    /// <summary>A short name for traces, metrics and the handler map: <c>nats</c>, <c>rabbitmq</c>.</summary>
    string Name { get; }

    /// <summary>The abilities of the transport; routes and bindings are checked against them.</summary>
    TransportAbilities Abilities { get; }

    /// <summary>Whether an envelope that this transport sends to a destination could arrive at a binding, so that a message with that
    /// binding and a route to the destination would be sent in an endless loop.</summary>
    /// <param name="destination">The destination of the envelope.</param>
    /// <param name="listener">The listening transport: this one or another.</param>
    /// <param name="binding">The binding.</param>
    /// <returns>By default true for the same name on this transport.</returns>
    bool Reaches(string destination, ITransport listener, TransportBinding binding)
        => ReferenceEquals(this, listener) && string.Equals(destination, binding.Source, StringComparison.Ordinal);

    /// <summary>Creates the name of a destination that nothing else listens to. The process that handles a stream request listens there
    /// while the stream is open, and the process that sent it requests the next items there.</summary>
    /// <returns>The name; unique among all processes of the server.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the transport does not have
    /// <see cref="TransportAbilities.Streams"/>, which is the default.</exception>
    string NewInbox()
        => throw new PostriderException(PostriderError.Configuration, $"Transport '{Name}' does not support stream requests.");

    /// <summary>Opens a sender to a destination; a route does so once.</summary>
    /// <param name="target">The destination.</param>
    /// <returns>The sender. Opening it does not contact the server: a missing destination is reported with the first message.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the target needs an ability that
    /// the transport lacks.</exception>
    MessageSender OpenSender(SendTarget target);

    /// <summary>Looks for a reason why messages to a destination would not be accepted, such as a missing stream or queue. A host asks for
    /// each route at its start.</summary>
    /// <param name="target">The destination.</param>
    /// <param name="ct">Cancels the question.</param>
    /// <returns>The reason and what to do, as sentences; null if there is none, or if the server cannot be asked, which is the default.</returns>
    ValueTask<string?> FindProblemAsync(SendTarget target, CancellationToken ct) => default;

    /// <summary>Starts to listen.</summary>
    /// <param name="binding">The source, and how to listen.</param>
    /// <param name="receiver">Called once per received envelope, with the concurrency of the binding. The reply that it returns is sent
    /// to the envelope's <see cref="Envelopes.Envelope.ReplyTo"/>; null for no reply. It throws only when
    /// <paramref name="ct"/> or the listener's disposal cancelled it: errors of handlers are sent as replies.</param>
    /// <param name="ct">Cancels the start, not the listening.</param>
    /// <returns>The listener; disposing it stops receiving and waits for running handlers.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding needs an ability that
    /// the transport lacks.</exception>
    ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct);

    /// <summary>Checks with the server whether messages can be transferred: not only whether a connection is open.</summary>
    /// <param name="ct">Cancels the question.</param>
    /// <returns>Healthy; degraded while the transport reconnects; unhealthy if it will not recover by itself. The description gives the
    /// reason. Does not throw if the server does not respond.</returns>
    ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct);

    /// <summary>Opens the dead letters of a destination, to list them and to send them back.</summary>
    /// <param name="source">The destination: <see cref="AtLeastOnceBinding.DeadLetter"/> of a binding.</param>
    /// <returns>The dead letters. Opening them does not reach the server.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the transport keeps none, which is the
    /// default.</exception>
    IDeadLetters OpenDeadLetters(string source)
        => throw new PostriderException(PostriderError.Configuration, $"Transport '{Name}' does not keep dead letters at '{source}'.");
}
