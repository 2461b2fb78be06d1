namespace Postrider.Client.Sessions;

/// <summary>Plain counters: the sending ones change under a connection's gate, the receiving ones on the receiving thread.</summary>
internal sealed class TrafficCounters
{
    public long SentMessages;
    public long SentBytes;
    public long ReceivedMessages;
    public long ReceivedBytes;
    public long DroppedMessages;
    public long Reconnects;
}
