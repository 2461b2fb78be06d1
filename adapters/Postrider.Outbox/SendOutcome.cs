namespace Postrider.Outbox;

/// <summary>The outcome of sending a batch.</summary>
internal sealed class SendOutcome
{
    // More than one, because the reason may be a message after all.
    private const int MaxLost = 3;

    private readonly HashSet<string> _reached = new(StringComparer.Ordinal);

    /// <summary>The rows that the transport has accepted.</summary>
    internal List<long> Sent { get; } = [];

    /// <summary>The rows that failed, with their new state.</summary>
    internal List<FailedSend> Failed { get; } = [];

    /// <summary>The failure of the transport; null if it works. Rows that were not tried because of it are in neither list.</summary>
    internal Exception? Outage { get; set; }

    /// <summary>The destinations that do not work although the transport does: their rows wait.</summary>
    internal List<string> Unavailable { get; } = [];

    /// <summary>Sends that failed for another reason than their message, as it seems, by destination.</summary>
    internal Dictionary<string, List<(OutboxMessage Message, Exception Failure)>> Lost { get; } = new(StringComparer.Ordinal);

    internal void Accept(OutboxMessage message)
    {
        Sent.Add(message.Sequence);
        _reached.Add(message.Destination);
    }

    internal void Lose(OutboxMessage message, Exception failure)
    {
        if (!Lost.TryGetValue(message.Destination, out var lost))
            Lost.Add(message.Destination, lost = []);
        lost.Add((message, failure));
    }

    /// <summary>Whether so many sends to a destination failed that no other one is begun.</summary>
    internal bool IsGivenUp(string destination) => Lost.TryGetValue(destination, out var lost) && lost.Count >= MaxLost;

    /// <summary>Whether a destination has accepted a row of the batch.</summary>
    internal bool HasReached(string destination) => _reached.Contains(destination);
}
