namespace Postrider.CommandLine.Calls;

/// <summary>A call that cannot be made, or whose answer is a failure; the message says why.</summary>
internal sealed class CallException(string message) : Exception(message);
