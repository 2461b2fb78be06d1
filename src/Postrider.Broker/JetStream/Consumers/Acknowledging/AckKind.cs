namespace Postrider.Broker.JetStream.Consumers.Acknowledging;

/// <summary>The kind of an acknowledgement.</summary>
internal enum AckKind
{
    /// <summary>Not a known kind.</summary>
    Unknown,

    /// <summary>The message was processed.</summary>
    Ack,

    /// <summary>The message was processed, and the next one is requested.</summary>
    Next,

    /// <summary>The message was not processed: deliver it again.</summary>
    Nak,

    /// <summary>The message is still being processed.</summary>
    Progress,

    /// <summary>Never deliver the message again.</summary>
    Term,
}
