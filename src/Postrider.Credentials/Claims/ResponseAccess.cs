namespace Postrider.Credentials;

/// <summary>The permission to answer reply subjects of received messages, whatever else may be published.</summary>
/// <param name="MaxMessages">The number of answers to one message; negative for no limit. 0 takes the server's default, 1.</param>
/// <param name="Expires">How long after the message they may come; negative for no limit. Zero takes the server's default, 2 minutes.</param>
public sealed record ResponseAccess(int MaxMessages, TimeSpan Expires);
