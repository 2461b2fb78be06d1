
using Postrider.Client.JetStream.Publishing;

namespace Postrider.Client.JetStream;

/// <summary>Options of a <see cref="JetStreamPublisher"/>.</summary>
public sealed record PublisherOptions
{
    /// <summary>Maximum number of unacknowledged messages. Default 4096.</summary>
    public int MaxInFlight { get; init; } = 4096;

    /// <summary>Timeout of an acknowledgement; null for the context's.</summary>
    public TimeSpan? AckTimeout { get; init; }

    /// <summary>Number of retries of a message: without responders, and, if it has an id, after a lost connection or a timeout. Null for the context's.</summary>
    public int? Retries { get; init; }

    /// <summary>The delay before a retry without responders; null for the context's.</summary>
    public TimeSpan? RetryDelay { get; init; }

    internal void Check()
    {
        if (MaxInFlight is < 1 or > PublishWindow.MaxInFlight)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"PublisherOptions.MaxInFlight {MaxInFlight} must be 1 to {PublishWindow.MaxInFlight}.");
    }
}
