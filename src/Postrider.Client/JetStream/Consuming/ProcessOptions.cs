
namespace Postrider.Client.JetStream;

/// <summary>Options of processing a consumer's messages with a handler.</summary>
public sealed record ProcessOptions
{
    /// <summary>How messages are consumed.</summary>
    public ConsumeOptions Consume { get; init; } = new();

    /// <summary>Number of messages that are handled concurrently. Default 1: in order.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>Whether handlers that run concurrently are called one after the other, in the order of the messages: each is called when the
    /// one before has returned its task. A handler that does not return at once holds up the next one. Default false: they are called in any
    /// order.</summary>
    public bool StartsInOrder { get; init; }

    /// <summary>Interval of in-progress acknowledgements while a handler runs; null for none.</summary>
    public TimeSpan? InProgressInterval { get; init; }

    /// <summary>The delay before a message whose handler threw is redelivered, by its delivery count. Null for no delay.</summary>
    public Func<long, TimeSpan>? RetryDelay { get; init; }

    /// <summary>Called for each message whose handler threw, before it is negatively acknowledged; null to raise only the client's event.</summary>
    public Action<MessageMetadata, Exception>? Failed { get; init; }

    internal void Check()
    {
        if (Concurrency < 1) throw new NatsClientException(NatsErrorCode.InvalidOption, $"ProcessOptions.Concurrency {Concurrency} must be at least 1.");
        if (InProgressInterval <= TimeSpan.Zero)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"ProcessOptions.InProgressInterval {InProgressInterval} must be longer than 0.");
    }
}
