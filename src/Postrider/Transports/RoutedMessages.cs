using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Sends messages along their routes with properties other than those of the route: delayed, or with an id from the caller.</summary>
/// <remarks>Registered by <c>AddPostrider</c>, as a singleton. Thread-safe. Middleware of the message's type does not run: the message is
/// written and sent.</remarks>
public abstract class RoutedMessages
{
    /// <summary>Sends a message.</summary>
    /// <param name="message">The message; its own type has a route.</param>
    /// <param name="origin">The scope and the message that caused this one; null for neither.</param>
    /// <param name="change">Changes the properties that the route would send; null to leave them.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>The properties that were sent, when the transport has accepted the message.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the type is not routed, or its sender waits for a
    /// response; otherwise as <see cref="MessageSender.SendAsync"/>.</exception>
    public abstract ValueTask<MessageProperties> SendAsync(
        object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct = default);

    /// <summary>The sender of a type's messages.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: as <see cref="SendAsync"/>.</exception>
    internal virtual RouteSender SenderOf(Type messageType) => throw new NotSupportedException();

    /// <summary>The sender of the messages of the type with a name; null if no such type has a route.</summary>
    internal virtual RouteSender? SenderOf(string typeName) => throw new NotSupportedException();
}
