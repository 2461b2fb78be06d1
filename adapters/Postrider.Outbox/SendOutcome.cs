namespace Postrider.Outbox;

/// <summary>The outcome of sending a batch.</summary>
internal sealed class SendOutcome
{
    /// <summary>The rows that the transport has accepted.</summary>
    internal List<long> Sent { get; } = [];

    /// <summary>The rows that failed, with their new state.</summary>
    internal List<FailedSend> Failed { get; } = [];

    /// <summary>The failure of the transport; null if it works. Rows that were not tried because of it are in neither list.</summary>
    internal Exception? Outage { get; set; }
}
