namespace Postrider.Flow.Gates;

/// <summary>A call was refused because a <see cref="Breaker"/> is not closed.</summary>
public sealed class BreakerOpenException : Exception
{
    /// <summary>Makes the exception without details.</summary>
    public BreakerOpenException()
        : this(BreakerState.Open, retryAfter: null)
    {
    }

    /// <summary>Makes the exception with a message.</summary>
    /// <param name="message">What was refused.</param>
    public BreakerOpenException(string message)
        : base(message)
    {
    }

    /// <summary>Makes the exception with a message and a cause.</summary>
    /// <param name="message">What was refused.</param>
    /// <param name="innerException">The cause.</param>
    public BreakerOpenException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Makes the exception for a state.</summary>
    /// <param name="state">The breaker's state when it refused.</param>
    /// <param name="retryAfter">How long until a call may pass; null when only a reset helps.</param>
    public BreakerOpenException(BreakerState state, TimeSpan? retryAfter)
        : base(retryAfter is { } wait ? $"The breaker is {state}; the next call may pass in {wait}." : $"The breaker is {state}.")
    {
        State = state;
        RetryAfter = retryAfter;
    }

    /// <summary>The breaker's state when it refused.</summary>
    public BreakerState State { get; } = BreakerState.Open;

    /// <summary>How long until a call may pass; null when unknown or when only a reset helps.</summary>
    public TimeSpan? RetryAfter { get; }
}
