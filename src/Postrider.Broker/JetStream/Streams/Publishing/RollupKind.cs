namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The messages that a roll-up replaces.</summary>
internal enum RollupKind
{
    /// <summary>None.</summary>
    None,

    /// <summary>All earlier messages of its subject.</summary>
    Subject,

    /// <summary>All earlier messages.</summary>
    All,
}
