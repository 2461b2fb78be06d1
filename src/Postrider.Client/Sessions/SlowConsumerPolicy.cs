namespace Postrider.Client;

/// <summary>What a subscription does with a message when its queue is full.</summary>
public enum SlowConsumerPolicy
{
    /// <summary>Drops the new message and counts it.</summary>
    DropNewest,

    /// <summary>Drops the oldest waiting message and counts it.</summary>
    DropOldest,

    /// <summary>
    /// Stops reading the connection until there is room. This client drops nothing, but its other
    /// subscriptions wait as well, and a server disconnects a client that does not read for too long.
    /// </summary>
    Wait,
}
