
namespace Postrider.Client.JetStream;

/// <summary>How a handler works through a consumer's messages.</summary>
public sealed record ProcessOptions
{
    /// <summary>How messages are consumed.</summary>
    public ConsumeOptions Consume { get; init; } = new();

    /// <summary>How many messages are worked on at once. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>How often the consumer is told that a message is still being worked on; null for never.</summary>
    public TimeSpan? InProgressInterval { get; init; }

    /// <summary>How long a message rests whose handler threw, by how often it was delivered. Null asks for it again at once.</summary>
    public Func<long, TimeSpan>? RetryDelay { get; init; }

    /// <summary>Told of each message whose handler threw, before it is asked for again; null only tells the client's events.</summary>
    public Action<MessageMetadata, Exception>? Failed { get; init; }

    internal void Check()
    {
        if (Concurrency < 1) throw new NatsClientException(NatsErrorCode.InvalidOption, $"ProcessOptions.Concurrency {Concurrency} must be at least 1.");
        if (InProgressInterval <= TimeSpan.Zero)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"ProcessOptions.InProgressInterval {InProgressInterval} must be longer than 0.");
    }
}
