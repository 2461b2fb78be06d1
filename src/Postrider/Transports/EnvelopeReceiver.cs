using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Handles an envelope from a transport.</summary>
/// <param name="envelope">The message; its bytes are valid until the task completes.</param>
/// <param name="ct">Cancelled when the listener is stopped without waiting.</param>
/// <returns>The reply, or null for none. Its <see cref="Envelope.Destination"/> is the arriving envelope's
/// <see cref="Envelope.ReplyTo"/>.</returns>
public delegate ValueTask<Envelope?> EnvelopeReceiver(Envelope envelope, CancellationToken ct);
