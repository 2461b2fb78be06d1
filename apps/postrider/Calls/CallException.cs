namespace Postrider.CommandLine.Calls;

/// <summary>A call that cannot be made, or that failed; the message gives the reason.</summary>
internal sealed class CallException(string message) : Exception(message);
