namespace Postrider.Client.JetStream;

/// <summary>A message that was posted and that no stream acknowledged.</summary>
/// <param name="Subject">Its subject.</param>
/// <param name="MessageId">Its id, or null.</param>
/// <param name="Error">Why. After a timeout the stream may have it all the same.</param>
public sealed record PublishFailure(string Subject, string? MessageId, Exception Error);
