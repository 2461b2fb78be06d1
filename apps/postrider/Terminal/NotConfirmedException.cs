namespace Postrider.CommandLine.Terminal;

/// <summary>The user did not confirm an action that cannot be undone.</summary>
internal sealed class NotConfirmedException(string message) : Exception(message);
