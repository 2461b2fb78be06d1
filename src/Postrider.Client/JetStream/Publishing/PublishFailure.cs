namespace Postrider.Client.JetStream;

/// <summary>A posted message that was not acknowledged.</summary>
/// <param name="Subject">Its subject.</param>
/// <param name="MessageId">Its id, or null.</param>
/// <param name="Error">The error. After a timeout the message may still have been stored.</param>
public sealed record PublishFailure(string Subject, string? MessageId, Exception Error);
