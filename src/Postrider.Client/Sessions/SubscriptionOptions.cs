namespace Postrider.Client;

/// <summary>What a subscription may say about itself.</summary>
public sealed record SubscriptionOptions
{
    /// <summary>The queue group: each message reaches one member. Null for every message.</summary>
    public string? QueueGroup { get; init; }

    /// <summary>Ends the subscription after so many messages; 0 for no end.</summary>
    public long MaxMessages { get; init; }

    /// <summary>What waits for the reader, in messages; 0 for <see cref="ClientOptions.SubscriptionCapacity"/>.</summary>
    public int Capacity { get; init; }

    /// <summary>What happens when that is full; null for <see cref="ClientOptions.SlowConsumerPolicy"/>.</summary>
    public SlowConsumerPolicy? WhenFull { get; init; }

    /// <summary>How many messages a handler works on at once. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;
}
