using Postrider.Resilience;

namespace Postrider.Transports;

/// <summary>Binds to messages that are kept until a handler has finished with them.</summary>
/// <param name="Source">The subject, topic or queue, in the format of the transport, including wildcards.</param>
/// <remarks>
/// A handled message is settled; one whose handler threw is delivered again after the delay of <see cref="Retry"/>; one that cannot be
/// read, whose failure is final or whose attempts are used up becomes a dead letter. Handlers must be safe to repeat. Needs a transport
/// with <see cref="TransportAbilities.Redelivery"/>; adapters derive their own bindings, which any such transport understands.
/// </remarks>
public record AtLeastOnceBinding(string Source) : TransportBinding(Source)
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

    /// <summary>Which failures are retried, how often and after what delay. Every delivery counts as an attempt, even one that ended
    /// with its process. Between attempts the transport keeps the message: no slot is held, and a budget is not allowed.</summary>
    public RetryPolicy Retry { get; init; } = DefaultRetry;

    /// <summary>The destination of dead letters. They keep body and headers, and <see cref="Envelopes.DeadLetterHeaders"/> give the
    /// reason. Null drops such a message.</summary>
    public string? DeadLetter { get; init; }

    /// <summary>Whether a message becomes a dead letter itself while an earlier one with the same <see cref="IKeyed.Key"/> is a dead letter of
    /// this source; false by default: it overtakes the dead letter. Dead letters that are redriven are handled in the order in which they
    /// are sent back, and when the last one of a key has been handled or purged, its messages are handled again.</summary>
    /// <remarks>Requires <see cref="TransportBinding.OrderByKey"/>, <see cref="DeadLetter"/> and a transport that lists dead letters. A
    /// message with a key that is retried keeps its slot of <see cref="TransportBinding.MaxConcurrency"/> and holds back its key in the
    /// meantime: choose short delays. A process learns of the dead letters of others when it starts to listen: several processes need a
    /// source that gives each key to one of them.</remarks>
    public bool KeepOrderBehindDeadLetters { get; init; }

    /// <summary>Whether another attempt may succeed: false for messages that were rejected, that have no handler and the like.</summary>
    /// <param name="failure">The failure of the attempt.</param>
    /// <returns>True for everything that is not known to be final.</returns>
    public static bool IsPassing(Exception failure)
        => failure is not PostriderException
        {
            Error: PostriderError.Refused or PostriderError.NoHandler or PostriderError.WrongResponse or PostriderError.DirectCall
                or PostriderError.Codec or PostriderError.Configuration
        };

    /// <summary>Whether a sender that waits for the handler gets its reply, and no other attempt is made; false, the default, if the sender of a
    /// command waits only until the message is stored. The test harness, which replaces the transport, reads it.</summary>
    protected internal virtual bool RepliesToCommands => false;

    /// <summary>Checks the rules that apply to every transport.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    protected internal virtual void Validate()
    {
        if (MaxConcurrency < 1) throw Contradiction($"MaxConcurrency is {MaxConcurrency} and must be at least 1");
        if (MaxConcurrency > AbilityCheck.MaxConcurrency) throw Contradiction($"MaxConcurrency is {MaxConcurrency} and must be at most {AbilityCheck.MaxConcurrency}");
        if (Retry.MaxAttempts < 1) throw Contradiction($"Retry.MaxAttempts is {Retry.MaxAttempts} and must be at least 1");
        if (Retry.MaxDelay > AbilityCheck.MaxTimeAhead) throw Contradiction($"Retry.MaxDelay is {Retry.MaxDelay} and must be at most {AbilityCheck.MaxTimeAhead}");
        if (Retry.Budget is not null) throw Contradiction("Retry has a Budget, which would dead-letter a message because others failed");
        if (DeadLetter is { } deadLetter && string.Equals(deadLetter, Source, StringComparison.Ordinal)) throw Contradiction($"DeadLetter '{deadLetter}' is the source of the binding itself");
        if (KeepOrderBehindDeadLetters && !OrderByKey) throw Contradiction("KeepOrderBehindDeadLetters is set and OrderByKey is not: set both, or neither");
        if (KeepOrderBehindDeadLetters && DeadLetter is null) throw Contradiction("KeepOrderBehindDeadLetters is set and there is no DeadLetter: set it, or remove KeepOrderBehindDeadLetters");
    }

    /// <summary>Creates the exception for a binding that contradicts itself.</summary>
    /// <param name="what">The error, without a full stop.</param>
    /// <returns>The exception.</returns>
    protected virtual PostriderException Contradiction(string what)
        => new(PostriderError.Configuration, $"The binding of '{Source}' is not valid: {what}.");
}
