namespace Postrider.Transports;

/// <summary>Runs around the handling of messages that arrive from a transport, before they are read: a transaction, an inbox.</summary>
/// <remarks>Thread-safe; one for all messages of a <see cref="MessagePump"/>. What is specific to a message type is a
/// <see cref="IMiddleware{TRequest, TResponse}"/>.</remarks>
public interface IReceiveMiddleware
{
    /// <summary>Rejects a binding that the middleware cannot serve; called before the transport listens.</summary>
    /// <param name="transport">The listening transport.</param>
    /// <param name="binding">The binding.</param>
    /// <param name="message">The handler's parameter type: the type of its messages, or <see cref="MessageBatch{TMessage}"/> of it.</param>
    /// <param name="replies">Whether its senders wait for a response.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding is rejected.</exception>
    void Check(ITransport transport, TransportBinding binding, Type message, bool replies)
    {
    }

    /// <summary>Handles a message.</summary>
    /// <param name="message">The message, with the services of its scope.</param>
    /// <param name="next">The rest: reads the message and calls its handler. Not called for a message that needs no handling, which
    /// then counts as handled; called again, it handles the message again in the same scope.</param>
    /// <param name="ct">Cancelled when the listener is stopped without waiting.</param>
    /// <returns>Completes when the message is handled; an exception is the failure of the message.</returns>
    ValueTask HandleAsync(ReceivedMessage message, ReceiveNext next, CancellationToken ct);
}
