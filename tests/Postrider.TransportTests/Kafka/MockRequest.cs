namespace Postrider.TransportTests.Kafka;

/// <summary>Requests of Kafka's protocol, by their numbers.</summary>
public enum MockRequest : short
{
    Produce = 0,
    Fetch = 1,
    Metadata = 3,
    OffsetCommit = 8,
    JoinGroup = 11,
    Heartbeat = 12,
    InitProducerId = 22,
}
