namespace Postrider.Outbox;

/// <summary>A message that is sent later; its handle for cancelling it. May be stored and made again by another process.</summary>
/// <param name="Id">The message's identity.</param>
public readonly record struct ScheduledMessage(string Id);
