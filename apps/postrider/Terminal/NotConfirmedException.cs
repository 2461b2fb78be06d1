namespace Postrider.CommandLine.Terminal;

/// <summary>A verb was not allowed to do what cannot be undone.</summary>
internal sealed class NotConfirmedException(string message) : Exception(message);
