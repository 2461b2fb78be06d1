namespace Postrider.Broker.Sessions;

/// <summary>An authorization callout let a client not in. The message is for the log: clients are only told that they are refused.</summary>
internal sealed class AuthCalloutException(string message, Exception? inner = null) : Exception(message, inner);
