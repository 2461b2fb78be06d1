namespace Postrider.Broker.JetStream.Consumers.Acknowledging;

/// <summary>What a client says of a delivery.</summary>
internal enum AckKind
{
    /// <summary>Nothing that is understood.</summary>
    Unknown,

    /// <summary>Done.</summary>
    Ack,

    /// <summary>Done, and give the next.</summary>
    Next,

    /// <summary>Not done: give it again.</summary>
    Nak,

    /// <summary>Still at work.</summary>
    Progress,

    /// <summary>Never give it again.</summary>
    Term,
}
