namespace Postrider.Client;

/// <summary>Options of a subscription.</summary>
public sealed record SubscriptionOptions
{
    /// <summary>The queue group: each message is delivered to one member. Null to receive every message.</summary>
    public string? QueueGroup { get; init; }

    /// <summary>Number of messages after which the subscription ends; 0 for no limit.</summary>
    public long MaxMessages { get; init; }

    /// <summary>The capacity of the queue, in messages; 0 for <see cref="ClientOptions.SubscriptionCapacity"/>.</summary>
    public int Capacity { get; init; }

    /// <summary>The policy for a full queue; null for <see cref="ClientOptions.SlowConsumerPolicy"/>.</summary>
    public SlowConsumerPolicy? WhenFull { get; init; }

    /// <summary>Number of messages that a handler processes concurrently. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>Whether handlers that run concurrently are called one after the other, in the order of the messages: each is called when the
    /// one before has returned its task. A handler that does not return at once holds up the next one. Default false: they are called in any
    /// order.</summary>
    public bool StartsInOrder { get; init; }

    internal void Check()
    {
        if (MaxMessages < 0) throw Invalid(nameof(MaxMessages), $"is {MaxMessages}; it must be at least 1, or 0 for no limit");
        if (Capacity < 0) throw Invalid(nameof(Capacity), $"is {Capacity}; it must be at least 1, or 0 for the client's");
        if (Concurrency < 1) throw Invalid(nameof(Concurrency), $"is {Concurrency}; it must be at least 1");
    }

    private static NatsClientException Invalid(string option, string what) => new(NatsErrorCode.InvalidOption, $"{nameof(SubscriptionOptions)}.{option} {what}.");
}
