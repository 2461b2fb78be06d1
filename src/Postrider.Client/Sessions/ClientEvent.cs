namespace Postrider.Client;

/// <summary>Something a client wants to be known.</summary>
/// <param name="Kind">What.</param>
/// <param name="Server">The server concerned, <c>host:port</c>, or null.</param>
/// <param name="Subject">The subject concerned, or null.</param>
/// <param name="Error">What went wrong, or null.</param>
public sealed record ClientEvent(ClientEventKind Kind, string? Server = null, string? Subject = null, Exception? Error = null);
