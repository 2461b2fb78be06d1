namespace Postrider.Broker;

/// <summary>The exception type of the broker, with the reason as a code.</summary>
/// <param name="error">The reason.</param>
/// <param name="message">What was wrong, the value and the limit.</param>
/// <param name="innerException">The error of the operating system, if there was one.</param>
public sealed class BrokerException(BrokerError error, string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>The reason.</summary>
    public BrokerError Error { get; } = error;
}
