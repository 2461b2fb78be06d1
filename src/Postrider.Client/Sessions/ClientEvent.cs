namespace Postrider.Client;

/// <summary>An event of a client's connection, subscriptions or handlers.</summary>
/// <param name="Kind">The kind of event.</param>
/// <param name="Server">The server concerned, <c>host:port</c>, or null.</param>
/// <param name="Subject">The subject concerned, or null.</param>
/// <param name="Error">The error, or null.</param>
public sealed record ClientEvent(ClientEventKind Kind, string? Server = null, string? Subject = null, Exception? Error = null);
