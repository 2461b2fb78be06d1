namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>An open delivery in an archive; its members have no names of their own there.</summary>
internal sealed record PendingEntry
{
    public ulong Sequence { get; init; }

    public long Timestamp { get; init; }
}
