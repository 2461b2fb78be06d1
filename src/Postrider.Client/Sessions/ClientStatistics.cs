namespace Postrider.Client;

/// <summary>Counts of what a client has sent and received. The values are read without a lock, so they may be off by a message relative to each other.</summary>
/// <param name="SentMessages">Published messages, including requests and replies.</param>
/// <param name="SentBytes">Size of their headers and payloads, in bytes.</param>
/// <param name="ReceivedMessages">Messages received.</param>
/// <param name="ReceivedBytes">Size of their headers and payloads, in bytes.</param>
/// <param name="DroppedMessages">Messages that were dropped because their subscription was full.</param>
/// <param name="Reconnects">Number of reconnects.</param>
/// <param name="PendingBytes">Bytes that are waiting to be sent.</param>
/// <param name="Subscriptions">Current number of subscriptions.</param>
public readonly record struct ClientStatistics(
    long SentMessages,
    long SentBytes,
    long ReceivedMessages,
    long ReceivedBytes,
    long DroppedMessages,
    long Reconnects,
    long PendingBytes,
    int Subscriptions);
