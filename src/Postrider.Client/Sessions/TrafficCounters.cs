namespace Postrider.Client.Sessions;

/// <summary>Plain counters: those for sending change under a connection's gate, those for receiving on the receiving thread.</summary>
internal sealed class TrafficCounters
{
    public long SentMessages;
    public long SentBytes;
    public long ReceivedMessages;
    public long ReceivedBytes;
    public long DroppedMessages;
    public long Reconnects;
}
