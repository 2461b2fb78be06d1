namespace Postrider.Middleware;

/// <summary>The bytes that arrived are not the message that is expected there.</summary>
/// <param name="message">The text for the sender.</param>
/// <param name="cause">The serializer's exception, which may name types; null if the message is complete.</param>
internal sealed class UnreadableMessageException(string message, Exception? cause = null)
    : PostriderException(PostriderError.Codec, message, cause);
