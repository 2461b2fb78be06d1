namespace Postrider.Broker.Sessions;

/// <summary>An authorization callout rejected a client. The message is for the log: clients are only informed that they are rejected.</summary>
internal sealed class AuthCalloutException(string message, Exception? inner = null) : Exception(message, inner);
