namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>What a message replaces.</summary>
internal enum RollupKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Everything before it with its subject.</summary>
    Subject,

    /// <summary>Everything before it.</summary>
    All,
}
