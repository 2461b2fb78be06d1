namespace Postrider.CommandLine.Verbs;

/// <summary>A verb was not allowed to do what cannot be undone.</summary>
internal sealed class NotConfirmedException(string message) : Exception(message);
