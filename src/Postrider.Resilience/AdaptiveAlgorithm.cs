namespace Postrider.Resilience;

/// <summary>How an <see cref="AdaptiveLimit"/> reads latencies.</summary>
public enum AdaptiveAlgorithm
{
    /// <summary>Estimates the queue at the service from how far the latency exceeds its unloaded minimum. Finds a service's capacity
    /// with the lowest latency. Source: TCP Vegas; Netflix concurrency-limits.</summary>
    Vegas,

    /// <summary>Adds steadily and cuts by a tenth when latency exceeds the target or calls fail. Needs a target to detect overload.</summary>
    Aimd,

    /// <summary>Compares the latest latency with its own long-term average. For services whose unloaded latency drifts.
    /// Source: Netflix concurrency-limits, Gradient2.</summary>
    Gradient2,
}
