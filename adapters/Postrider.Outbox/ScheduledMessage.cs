namespace Postrider.Outbox;

/// <summary>A handle for cancelling a message that is sent later. May be stored and recreated in another process.</summary>
/// <param name="Id">The message's identity.</param>
public readonly record struct ScheduledMessage(string Id);
