using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The waits for disk access.</summary>
/// <remarks>nats-server limits the threads that use the disk at once; this broker does not, so there are no waits.</remarks>
public sealed record DiskWaits
{
    /// <summary>Waiting now: zero.</summary>
    [JsonPropertyName("waiters")] public long Waiters { get; init; }

    /// <summary>Waits so far: zero.</summary>
    [JsonPropertyName("waits")] public long Waits { get; init; }

    /// <summary>Their time in nanoseconds: zero.</summary>
    [JsonPropertyName("wait_time")] public long WaitNanoseconds { get; init; }

    /// <summary>The longest in nanoseconds: zero.</summary>
    [JsonPropertyName("max_wait_time")] public long LongestWaitNanoseconds { get; init; }
}
