namespace Postrider.CommandLine.Contexts;

/// <summary>A context cannot be read, written or used. The message says which and why.</summary>
internal sealed class ContextException(string message, Exception? inner = null) : Exception(message, inner);
