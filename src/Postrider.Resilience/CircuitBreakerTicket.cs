namespace Postrider.Resilience;

/// <summary>What <see cref="CircuitBreaker.TryEnter"/> hands to a call that may pass; give it back with the call's end.</summary>
/// <remarks>It carries the breaker's generation, so that a call which began before a change of state is not counted after it.</remarks>
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
