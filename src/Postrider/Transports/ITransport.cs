using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Exchanges envelopes with other processes; implemented by adapters.</summary>
/// <remarks>Thread-safe. A transport does not know messages, codecs or handlers. See docs/guide/transports-seam.md.</remarks>
public interface ITransport : IAsyncDisposable
{
    /// <summary>A short name for traces, metrics and the handler map: <c>nats</c>, <c>kafka</c>.</summary>
    string Name { get; }

    /// <summary>Whether an envelope that this transport sends to a destination could arrive at a binding, so that a message with that
    /// binding and a route to the destination would be sent in an endless loop.</summary>
    /// <param name="destination">The destination of the envelope.</param>
    /// <param name="listener">The listening transport: this one or another.</param>
    /// <param name="binding">The binding.</param>
    /// <returns>By default true for the same name on this transport.</returns>
    bool Reaches(string destination, ITransport listener, TransportBinding binding)
        => ReferenceEquals(this, listener) && string.Equals(destination, binding.Source, StringComparison.Ordinal);

    /// <summary>Sends an envelope without waiting for a reply.</summary>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the transport has accepted the bytes.</returns>
    ValueTask SendAsync(Envelope envelope, CancellationToken ct);

    /// <summary>Sends an envelope and waits for the reply.</summary>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The reply as it arrived, including errors in its headers.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: there is no listener at the destination.</exception>
    ValueTask<Envelope> RequestAsync(Envelope envelope, CancellationToken ct);

    /// <summary>Starts to listen.</summary>
    /// <param name="binding">The source, and how to listen.</param>
    /// <param name="receiver">Called once per received envelope, with the concurrency of the binding. The reply that it returns is sent
    /// to the envelope's <see cref="Envelope.ReplyTo"/>; null for no reply. It throws only when
    /// <paramref name="ct"/> or the listener's disposal cancelled it: errors of handlers are sent as replies.</param>
    /// <param name="ct">Cancels the start, not the listening.</param>
    /// <returns>The listener; disposing it stops receiving and waits for running handlers.</returns>
    ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct);
}
