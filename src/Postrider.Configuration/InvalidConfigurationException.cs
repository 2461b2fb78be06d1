namespace Postrider.Configuration;

/// <summary>Values of a configuration are missing or wrong. The message has a line for each, with its key and the valid values.</summary>
/// <param name="message">The errors.</param>
public sealed class InvalidConfigurationException(string message) : Exception(message);
