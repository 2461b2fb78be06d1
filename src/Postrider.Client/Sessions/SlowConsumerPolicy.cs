namespace Postrider.Client;

/// <summary>What a subscription does with a message when its reader left no room.</summary>
public enum SlowConsumerPolicy
{
    /// <summary>Drops the message that arrives, and counts it.</summary>
    DropNewest,

    /// <summary>Drops the oldest message that waits, and counts it.</summary>
    DropOldest,

    /// <summary>
    /// Stops reading the connection until the reader made room. Nothing is dropped by this client, but its other
    /// subscriptions wait too, and a server cuts off a client that takes nothing for too long.
    /// </summary>
    Wait,
}
