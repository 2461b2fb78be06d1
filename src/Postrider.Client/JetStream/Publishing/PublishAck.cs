namespace Postrider.Client.JetStream;

/// <summary>A stream has the message.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Sequence">The message's sequence in it; of a duplicate, the first one's.</param>
/// <param name="IsDuplicate">Whether a message of the same id was there already.</param>
/// <param name="Domain">The stream's domain, or null.</param>
/// <param name="BatchId">The batch that was committed, or null.</param>
/// <param name="BatchCount">How many messages that batch had.</param>
/// <param name="Value">What a counter stands at now, or null.</param>
public readonly record struct PublishAck(
    string Stream, ulong Sequence, bool IsDuplicate, string? Domain, string? BatchId, int BatchCount, string? Value);
