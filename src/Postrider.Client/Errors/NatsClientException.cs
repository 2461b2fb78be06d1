namespace Postrider.Client;

/// <summary>Every failure of the client, with a code.</summary>
/// <param name="code">What went wrong.</param>
/// <param name="message">What was wrong, the value, the limit.</param>
/// <param name="inner">What caused it, or null.</param>
public class NatsClientException(NatsErrorCode code, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>What went wrong.</summary>
    public NatsErrorCode Code { get; } = code;
}
