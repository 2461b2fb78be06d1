namespace Postrider.Middleware;

/// <summary>A message was rejected because it is not valid.</summary>
/// <param name="message">The message's type.</param>
/// <param name="errors">The errors; not empty.</param>
public sealed class InvalidMessageException(Type message, IReadOnlyList<ValidationError> errors) : PostriderException(
    PostriderError.Refused, $"The message is not valid: {string.Join(" ", errors.Select(e => e.Member.Length > 0 ? $"{e.Member}: {e.Message}" : e.Message))}")
{
    /// <summary>The message's type; it is not part of the text, which the sender of the message sees.</summary>
    public Type MessageType { get; } = message;

    /// <summary>The errors.</summary>
    public IReadOnlyList<ValidationError> Errors { get; } = errors;
}
