namespace Postrider.Broker.Trust;

/// <summary>A user's token is not accepted. The message is for the log: clients are only told that they are refused.</summary>
internal sealed class UserTokenException(string message, Exception? inner = null) : Exception(message, inner);
