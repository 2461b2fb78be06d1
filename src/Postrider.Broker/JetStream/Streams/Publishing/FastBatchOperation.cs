namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The purpose of a message in a fast batch; the numbers are the protocol's.</summary>
internal enum FastBatchOperation
{
    /// <summary>The first message.</summary>
    Start = 0,

    /// <summary>One more message.</summary>
    Append = 1,

    /// <summary>The last message.</summary>
    Commit = 2,

    /// <summary>The end of the batch; the message itself is not stored.</summary>
    CommitWithoutMessage = 3,

    /// <summary>Requests the last acknowledgement again; the message itself is not stored.</summary>
    Ping = 4,
}
