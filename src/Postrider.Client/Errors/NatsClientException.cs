namespace Postrider.Client;

/// <summary>The exception of all failures of the client, with a code.</summary>
/// <param name="code">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="inner">The cause, or null.</param>
public class NatsClientException(NatsErrorCode code, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>The kind of error.</summary>
    public NatsErrorCode Code { get; } = code;
}
