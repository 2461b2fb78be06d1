
using Postrider.Client.JetStream.Publishing;

namespace Postrider.Client.JetStream;

/// <summary>How a <see cref="JetStreamPublisher"/> behaves.</summary>
public sealed record PublisherOptions
{
    /// <summary>How many messages may be on their way without an acknowledgement. Default 4096.</summary>
    public int MaxInFlight { get; init; } = 4096;

    /// <summary>How long to wait for an acknowledgement; null for the context's.</summary>
    public TimeSpan? AckTimeout { get; init; }

    /// <summary>How often a message is sent again: when nobody answers, and, if it has an id, after a lost connection or a timeout. Null for the context's.</summary>
    public int? Retries { get; init; }

    /// <summary>The wait before a message that nobody answered is sent again; null for the context's.</summary>
    public TimeSpan? RetryDelay { get; init; }

    internal void Check()
    {
        if (MaxInFlight is < 1 or > PublishWindow.MaxInFlight)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"PublisherOptions.MaxInFlight {MaxInFlight} must be 1 to {PublishWindow.MaxInFlight}.");
    }
}
