namespace Postrider.Client;

/// <summary>What a client sent and received since it was made. Read without stopping anything, so values may be a message apart.</summary>
/// <param name="SentMessages">Messages published, requests and replies included.</param>
/// <param name="SentBytes">Headers and payloads of those, in bytes.</param>
/// <param name="ReceivedMessages">Messages received.</param>
/// <param name="ReceivedBytes">Headers and payloads of those, in bytes.</param>
/// <param name="DroppedMessages">Messages that a full subscription dropped.</param>
/// <param name="Reconnects">How often a lost connection was made anew.</param>
/// <param name="PendingBytes">What waits to be sent now, in bytes.</param>
/// <param name="Subscriptions">Subscriptions now.</param>
public readonly record struct ClientStatistics(
    long SentMessages,
    long SentBytes,
    long ReceivedMessages,
    long ReceivedBytes,
    long DroppedMessages,
    long Reconnects,
    long PendingBytes,
    int Subscriptions);
