namespace Postrider.Credentials;

/// <summary>The exception of all failures with keys, tokens and credentials files. Its message never contains a seed.</summary>
/// <param name="code">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class CredentialsException(CredentialsErrorCode code, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>The kind of error.</summary>
    public CredentialsErrorCode Code { get; } = code;
}
