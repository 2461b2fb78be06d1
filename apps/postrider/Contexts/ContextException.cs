namespace Postrider.CommandLine.Contexts;

/// <summary>A context cannot be read, written or used. The message names the context and the reason.</summary>
internal sealed class ContextException(string message, Exception? inner = null) : Exception(message, inner);
