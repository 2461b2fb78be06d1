namespace Postrider.Transport.RabbitMq;

/// <summary>The kind of a queue.</summary>
public enum RabbitMqQueueType
{
    /// <summary>Replicated and always durable; the server counts deliveries.</summary>
    Quorum,

    /// <summary>On one node. The server only reports that a message was delivered before, not how often: a message that ends its process each
    /// time is delivered again without a limit.</summary>
    Classic,
}
