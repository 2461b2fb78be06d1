namespace Postrider;

/// <summary>The one exception type of this library; exceptions of handlers pass through unchanged.</summary>
/// <param name="error">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="inner">The cause, if any.</param>
public class PostriderException(PostriderError error, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>The kind of error.</summary>
    public PostriderError Error { get; } = error;
}
