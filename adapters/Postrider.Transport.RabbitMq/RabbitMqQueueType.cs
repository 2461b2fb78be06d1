namespace Postrider.Transport.RabbitMq;

/// <summary>The kind of a queue.</summary>
public enum RabbitMqQueueType
{
    /// <summary>Replicated and always durable; the server counts deliveries.</summary>
    Quorum,

    /// <summary>On one node. The server only knows that a message was delivered before, not how often: a message whose process dies each
    /// time is delivered without end.</summary>
    Classic,
}
