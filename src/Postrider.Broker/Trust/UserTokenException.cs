namespace Postrider.Broker.Trust;

/// <summary>A user's token is not accepted. The message is for the log: clients are only informed that they are rejected.</summary>
internal sealed class UserTokenException(string message, Exception? inner = null) : Exception(message, inner);
