namespace Postrider.Client.JetStream;

/// <summary>The acknowledgement of a publish: a stream has stored the message.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Sequence">The sequence of the message; for a duplicate, that of the original.</param>
/// <param name="IsDuplicate">Whether a message with the same id was already stored.</param>
/// <param name="Domain">The stream's domain, or null.</param>
/// <param name="BatchId">The batch that was committed, or null.</param>
/// <param name="BatchCount">The number of messages of that batch.</param>
/// <param name="Value">The current value of a counter, or null.</param>
public readonly record struct PublishAck(
    string Stream, ulong Sequence, bool IsDuplicate, string? Domain, string? BatchId, int BatchCount, string? Value);
