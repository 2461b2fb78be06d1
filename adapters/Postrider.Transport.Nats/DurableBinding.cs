using Postrider.Client.JetStream.Models;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Binds to messages of a stream through a durable consumer: they are kept until a handler has finished with them.</summary>
/// <param name="Source">The subject, which may contain wildcards: the consumer filters by it, and its stream is found by it.</param>
/// <remarks>
/// At least once. A handled message is acknowledged; one whose handler threw is delivered again after the delay of <see cref="Retry"/>;
/// one that cannot be read, whose failure is final or whose attempts are used up becomes a dead letter. Processes with the same
/// <see cref="Consumer"/> share the messages. A transport without storage treats it as an ordinary binding.
/// </remarks>
public sealed record DurableBinding(string Source) : TransportBinding(Source)
{
    /// <summary>Default of <see cref="Retry"/>: 5 attempts, exponential backoff with jitter from 1 s to 1 min;
    /// failures that another attempt cannot fix are final (<see cref="IsPassing"/>).</summary>
    public static RetryPolicy DefaultRetry { get; } = new()
    {
        MaxAttempts = 5,
        Backoff = Backoff.ExponentialJitter,
        BaseDelay = TimeSpan.FromSeconds(1),
        MaxDelay = TimeSpan.FromMinutes(1),
        Handle = IsPassing,
    };

    /// <summary>The durable consumer's name; the same in every process that shares the messages.</summary>
    public required string Consumer { get; init; }

    /// <summary>The stream; null for the one that stores <c>Source</c>.</summary>
    public string? Stream { get; init; }

    /// <summary>Whether the consumer must already exist and is used unchanged. False creates it, or updates it to match this binding.</summary>
    public bool BindOnly { get; init; }

    /// <summary>Changes the consumer's configuration before it is created; null leaves it unchanged. Not called with
    /// <see cref="BindOnly"/>.</summary>
    public Func<ConsumerConfig, ConsumerConfig>? Configure { get; init; }

    /// <summary>How long after a process's last sign of progress its messages go to another one. While a handler runs, the process
    /// reports progress three times in this period. 30 s by default.</summary>
    public TimeSpan AckWait { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Which failures are retried, how often and after what delay. Every delivery counts as an attempt, even one that ended
    /// with its process. Between attempts the server keeps the message: no slot is held, and a budget is not allowed.</summary>
    public RetryPolicy Retry { get; init; } = DefaultRetry;

    /// <summary>The subject that dead letters are published to; a stream must store it. They keep body and headers, and
    /// <see cref="DeadLetterHeaders"/> give the reason. Null drops such a message: it is terminated at the consumer.</summary>
    public string? DeadLetter { get; init; }

    /// <summary>Whether another attempt may succeed: false for messages that were rejected, that have no handler and the like.</summary>
    /// <param name="failure">What the attempt ended with.</param>
    /// <returns>True for everything that is not known to be final.</returns>
    public static bool IsPassing(Exception failure)
        => failure is not PostriderException
        {
            Error: PostriderError.Refused or PostriderError.NoHandler or PostriderError.WrongResponse or PostriderError.DirectCall
                or PostriderError.Codec or PostriderError.Configuration
        };
}
