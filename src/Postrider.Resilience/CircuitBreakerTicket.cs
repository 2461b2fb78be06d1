namespace Postrider.Resilience;

/// <summary>The ticket that <see cref="CircuitBreaker.TryEnter"/> returns to a call that may pass; return it when the call ends.</summary>
/// <remarks>It contains the breaker's generation, so that a call that began before a change of state is not counted after it.</remarks>
public readonly record struct CircuitBreakerTicket
{
    internal CircuitBreakerTicket(int generation, bool isProbe)
    {
        Generation = generation;
        IsProbe = isProbe;
    }

    /// <summary>True when the call decides whether a half-open breaker closes.</summary>
    public bool IsProbe { get; }

    internal int Generation { get; }
}
