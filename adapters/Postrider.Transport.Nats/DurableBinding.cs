using Postrider.Client.JetStream.Models;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Messages of a stream, through a durable consumer: kept until a handler has finished with them.</summary>
/// <param name="Source">The subject, wildcards included: what the consumer filters by, and how its stream is found.</param>
/// <remarks>
/// At least once. A handled message is acknowledged; one whose handler threw comes again after the delay that <see cref="Retry"/>
/// plans; one that cannot be read, whose failure is final or whose attempts are used up is put away as a dead letter. Every
/// process with the same <see cref="Consumer"/> takes a share. A transport that keeps nothing takes it as an ordinary binding.
/// </remarks>
public sealed record DurableBinding(string Source) : TransportBinding(Source)
{
    /// <summary>What <see cref="Retry"/> is unless said otherwise: 5 attempts, exponential backoff with jitter from 1 s to 1 min;
    /// failures that another attempt cannot mend are final (<see cref="IsPassing"/>).</summary>
    public static RetryPolicy DefaultRetry { get; } = new()
    {
        MaxAttempts = 5,
        Backoff = Backoff.ExponentialJitter,
        BaseDelay = TimeSpan.FromSeconds(1),
        MaxDelay = TimeSpan.FromMinutes(1),
        Handle = IsPassing,
    };

    /// <summary>The durable consumer's name: the same in every process that shares the messages.</summary>
    public required string Consumer { get; init; }

    /// <summary>The stream; null for the one that listens to <c>Source</c>.</summary>
    public string? Stream { get; init; }

    /// <summary>Whether the consumer must be there already and is taken as it is. False creates it, or changes it to this binding.</summary>
    public bool BindOnly { get; init; }

    /// <summary>Changes the consumer's configuration before it is created; null leaves it. Not asked with <see cref="BindOnly"/>.</summary>
    public Func<ConsumerConfig, ConsumerConfig>? Configure { get; init; }

    /// <summary>How long after the last sign of a process its messages go to another one. While a handler runs, the process gives a
    /// sign three times as often. Default 30 s.</summary>
    public TimeSpan AckWait { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Which failures are repeated, how often and after what delay. Every delivery counts as an attempt, also one that ended
    /// with its process. Between attempts the server keeps the message: no slot is held, and there can be no budget.</summary>
    public RetryPolicy Retry { get; init; } = DefaultRetry;

    /// <summary>The subject that dead letters are published to; a stream must listen to it. They keep body and headers, and
    /// <see cref="DeadLetterHeaders"/> tell why. Null gives such a message up: it is terminated at the consumer.</summary>
    public string? DeadLetter { get; init; }

    /// <summary>Whether another attempt may end better: false for messages that were refused, that nobody handles and the like.</summary>
    /// <param name="failure">What the attempt ended with.</param>
    /// <returns>True for everything that is not known to be final.</returns>
    public static bool IsPassing(Exception failure)
        => failure is not PostriderException
        {
            Error: PostriderError.Refused or PostriderError.NoHandler or PostriderError.WrongResponse or PostriderError.DirectCall
                or PostriderError.Codec or PostriderError.Configuration
        };
}
