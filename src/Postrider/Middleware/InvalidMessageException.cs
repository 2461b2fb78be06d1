namespace Postrider.Middleware;

/// <summary>A message was refused because of what it holds.</summary>
/// <param name="message">The message's type.</param>
/// <param name="errors">What is wrong; not empty.</param>
public sealed class InvalidMessageException(Type message, IReadOnlyList<ValidationError> errors) : PostriderException(
    PostriderError.Refused, $"The message is not valid: {string.Join(" ", errors.Select(e => e.Member.Length > 0 ? $"{e.Member}: {e.Message}" : e.Message))}")
{
    /// <summary>The message's type; not part of the text, which is shown to whoever sent the message.</summary>
    public Type MessageType { get; } = message;

    /// <summary>What is wrong.</summary>
    public IReadOnlyList<ValidationError> Errors { get; } = errors;
}
