using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A sender that needs the scope of the call: one that writes messages into the caller's transaction.</summary>
/// <remarks>Routes call <see cref="SendAsync(in MessageProperties, ReadOnlyMemory{byte}, IServiceProvider?, CancellationToken)"/> with the
/// services of the scope that the message is sent in. Thread-safe.</remarks>
/// <param name="transport">The transport.</param>
/// <param name="target">The destination.</param>
/// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the target needs an ability that
/// the transport lacks.</exception>
public abstract class ScopedMessageSender(ITransport transport, SendTarget target) : MessageSender(transport, target)
{
    /// <summary>Sends a message in a scope.</summary>
    /// <param name="properties">The metadata of the message.</param>
    /// <param name="body">The bytes; they may be reused when the task completes.</param>
    /// <param name="services">The services of the scope; null for a dispatcher of the root.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the message is stored.</returns>
    /// <inheritdoc cref="MessageSender.SendAsync" path="/exception"/>
    public ValueTask SendAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, IServiceProvider? services, CancellationToken ct)
    {
        Check(in properties, body.Length);
        return SendCoreAsync(in properties, body, services, ct);
    }

    /// <summary>Sends a message that was checked.</summary>
    /// <inheritdoc cref="SendAsync(in MessageProperties, ReadOnlyMemory{byte}, IServiceProvider?, CancellationToken)"/>
    protected abstract ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, IServiceProvider? services, CancellationToken ct);

    /// <inheritdoc/>
    protected sealed override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => SendCoreAsync(in properties, body, services: null, ct);
}
