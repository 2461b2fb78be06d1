namespace Postrider.Broker;

/// <summary>What an acknowledged publish to a file stream survives.</summary>
public enum JetStreamDurability
{
    /// <summary>The end of the process, not of the machine: the operating system has the message before the acknowledgement
    /// leaves. nats-server's default.</summary>
    PageCache,

    /// <summary>The end of the machine: the disk has the message before the acknowledgement leaves, and one flush serves all
    /// publishes that wait for it.</summary>
    GroupSync,

    /// <summary>The end of the machine, with a flush of its own for the publishes of each read. nats-server's <c>sync: always</c>.</summary>
    SyncEach,
}
