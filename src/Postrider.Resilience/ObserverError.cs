namespace Postrider.Resilience;

/// <summary>An exception of a callback that only observes.</summary>
/// <param name="Observer">Name of the callback's option: <c>CircuitBreaker.OnStateChange</c>, <c>FlowHooks.OnDrain</c>.</param>
/// <param name="Exception">Its exception.</param>
public readonly record struct ObserverError(string Observer, Exception Exception);
