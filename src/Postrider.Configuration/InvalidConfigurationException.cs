namespace Postrider.Configuration;

/// <summary>Values of a configuration are missing or wrong. The message has a line for each, with its key and what would be right.</summary>
/// <param name="message">What is wrong.</param>
public sealed class InvalidConfigurationException(string message) : Exception(message);
