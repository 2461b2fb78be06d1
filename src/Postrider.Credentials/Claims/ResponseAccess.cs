namespace Postrider.Credentials;

/// <summary>The permission to publish to reply subjects of received messages, whatever other permissions apply.</summary>
/// <param name="MaxMessages">The number of replies to one message; negative for no limit. 0 for the server's default, 1.</param>
/// <param name="Expires">How long after the message they are allowed; negative for no limit. Zero for the server's default, 2 minutes.</param>
public sealed record ResponseAccess(int MaxMessages, TimeSpan Expires);
