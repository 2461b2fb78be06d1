namespace Postrider.Outbox;

/// <summary>What became of the messages of a batch.</summary>
internal sealed class SendOutcome
{
    /// <summary>The rows that the transport has accepted.</summary>
    internal List<long> Sent { get; } = [];

    /// <summary>The rows that failed, with what becomes of them.</summary>
    internal List<FailedSend> Failed { get; } = [];

    /// <summary>Why the transport does not work; null if it does. What was not tried because of it is in neither list.</summary>
    internal Exception? Outage { get; set; }
}
