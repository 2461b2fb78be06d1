namespace Postrider.Broker;

/// <summary>The failures that an acknowledged publish to a file stream survives.</summary>
public enum JetStreamDurability
{
    /// <summary>A crash of the process, not of the machine: the operating system has the message before the acknowledgement
    /// is sent. nats-server's default.</summary>
    PageCache,

    /// <summary>A crash of the machine: the disk has the message before the acknowledgement is sent, and one flush serves all
    /// publishes that wait for it.</summary>
    GroupSync,

    /// <summary>A crash of the machine, with one flush for the publishes of each read. nats-server's <c>sync: always</c>.</summary>
    SyncEach,
}
