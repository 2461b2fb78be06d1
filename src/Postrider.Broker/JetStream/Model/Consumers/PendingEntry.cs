namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>An open delivery in an archive, where its members have no names.</summary>
internal sealed record PendingEntry
{
    public ulong Sequence { get; init; }

    public long Timestamp { get; init; }
}
