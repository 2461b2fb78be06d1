namespace Postrider.Middleware;

/// <summary>The bytes that arrived are not the message that is expected there.</summary>
/// <param name="message">What the sender is told.</param>
/// <param name="cause">What the serializer found, which may name types; null if the message says everything.</param>
internal sealed class UnreadableMessageException(string message, Exception? cause = null)
    : PostriderException(PostriderError.Codec, message, cause);
