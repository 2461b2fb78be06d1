using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Carries envelopes to other processes and brings theirs: the seam that an adapter implements.</summary>
/// <remarks>Thread-safe. A transport knows nothing of messages, codecs and handlers. See docs/guide/transports-seam.md.</remarks>
public interface ITransport : IAsyncDisposable
{
    /// <summary>A short name for traces, metrics and the handler map: <c>nats</c>, <c>kafka</c>.</summary>
    string Name { get; }

    /// <summary>Whether what this transport sends to a destination could arrive at a binding, so that a message which is bound
    /// there and routed to the destination would come back for ever.</summary>
    /// <param name="destination">Where an envelope is sent.</param>
    /// <param name="listener">The transport that listens: this one, or another.</param>
    /// <param name="binding">What it listens to.</param>
    /// <returns>By default true for the same name on this very transport.</returns>
    bool Reaches(string destination, ITransport listener, TransportBinding binding)
        => ReferenceEquals(this, listener) && string.Equals(destination, binding.Source, StringComparison.Ordinal);

    /// <summary>Sends without an answer.</summary>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the transport has taken the bytes over.</returns>
    ValueTask SendAsync(Envelope envelope, CancellationToken ct);

    /// <summary>Sends and waits for the answer.</summary>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The answer as it arrived, errors in its headers included.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: nobody listens at the destination.</exception>
    ValueTask<Envelope> RequestAsync(Envelope envelope, CancellationToken ct);

    /// <summary>Starts to listen.</summary>
    /// <param name="binding">What to listen to, and how.</param>
    /// <param name="receiver">Called once per arriving envelope, as many at a time as the binding allows. The answer it
    /// returns goes to the envelope's <see cref="Envelope.ReplyTo"/>; null means no answer. It throws only when
    /// <paramref name="ct"/> or the listener's disposal cancelled it: errors of handlers are answers.</param>
    /// <param name="ct">Cancels the start, not the listening.</param>
    /// <returns>The listener; disposing it stops new envelopes and waits for those under way.</returns>
    ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct);
}
