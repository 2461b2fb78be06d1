namespace Postrider.Broker.Trust;

/// <summary>The token of an account could not be fetched or stored. The message is for the log and for administrators of accounts.</summary>
internal sealed class AccountLookupException(string message, Exception? inner = null) : Exception(message, inner);
