using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Sends single envelopes; routes open a <see cref="MessageSender"/> instead.</summary>
public static class TransportExtensions
{
    /// <summary>Sends an envelope without waiting for a reply.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the transport has accepted the message.</returns>
    /// <inheritdoc cref="MessageSender.SendAsync" path="/exception"/>
    public static ValueTask SendAsync(this ITransport transport, Envelope envelope, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(envelope);
        return transport.OpenSender(envelope.Destination).SendAsync(MessageProperties.From(envelope.Headers), envelope.Body, ct);
    }

    /// <summary>Sends an envelope and waits for the reply.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="envelope">The message; its bytes may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The reply as it arrived, including errors in its headers.</returns>
    /// <inheritdoc cref="MessageSender.RequestAsync" path="/exception"/>
    public static ValueTask<Envelope> RequestAsync(this ITransport transport, Envelope envelope, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(envelope);
        return transport.OpenSender(envelope.Destination).RequestAsync(MessageProperties.From(envelope.Headers), envelope.Body, ct);
    }
}
