namespace Postrider.Resilience;

/// <summary>How an <see cref="AdaptiveLimit"/> reads latencies.</summary>
public enum AdaptiveAlgorithm
{
    /// <summary>Estimates the queue at the service from the latency over its unloaded minimum. Finds a service's capacity
    /// with the least latency. Source: TCP Vegas; Netflix concurrency-limits.</summary>
    Vegas,

    /// <summary>Adds steadily, cuts by a tenth when latency passes the target or calls fail. Needs a target to see overload.</summary>
    Aimd,

    /// <summary>Compares the latest latency with its own long average. For services whose unloaded latency drifts.
    /// Source: Netflix concurrency-limits, Gradient2.</summary>
    Gradient2,
}
