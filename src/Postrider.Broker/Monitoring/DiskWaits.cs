using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The waits for disk access.</summary>
/// <remarks>nats-server limits the number of threads that use the disk; this broker does not, so there are no waits.</remarks>
public sealed record DiskWaits
{
    /// <summary>Current waits: zero.</summary>
    [JsonPropertyName("waiters")] public long Waiters { get; init; }

    /// <summary>Waits so far: zero.</summary>
    [JsonPropertyName("waits")] public long Waits { get; init; }

    /// <summary>Their total time in nanoseconds: zero.</summary>
    [JsonPropertyName("wait_time")] public long WaitNanoseconds { get; init; }

    /// <summary>The longest wait in nanoseconds: zero.</summary>
    [JsonPropertyName("max_wait_time")] public long LongestWaitNanoseconds { get; init; }
}
