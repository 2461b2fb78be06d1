namespace Postrider.Resilience;

/// <summary>What a callback threw that only watches.</summary>
/// <param name="Observer">Which one, by the option's name: <c>CircuitBreaker.OnStateChange</c>, <c>FlowHooks.OnDrain</c>.</param>
/// <param name="Exception">What it threw.</param>
public readonly record struct ObserverError(string Observer, Exception Exception);
