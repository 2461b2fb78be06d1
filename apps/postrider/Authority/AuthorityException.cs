namespace Postrider.CommandLine.Authority;

/// <summary>Something is missing in a folder of tokens and keys, or already exists there.</summary>
internal sealed class AuthorityException(string message) : Exception(message);
