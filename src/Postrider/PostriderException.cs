namespace Postrider;

/// <summary>The one exception type of this library; exceptions of handlers pass through unchanged.</summary>
/// <param name="error">What went wrong.</param>
/// <param name="message">What was wrong, the value, the limit.</param>
/// <param name="inner">The cause, if any.</param>
public class PostriderException(PostriderError error, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>What went wrong.</summary>
    public PostriderError Error { get; } = error;
}
