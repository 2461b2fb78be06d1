namespace Postrider.Middleware;

/// <summary>The bytes that arrived are not the message that is expected there.</summary>
/// <param name="mediaType">What the codec reads.</param>
/// <param name="cause">What the codec found, which may name types.</param>
internal sealed class UnreadableMessageException(string mediaType, Exception cause)
    : PostriderException(PostriderError.Codec, $"The body is not a valid message ({mediaType}).", cause);
