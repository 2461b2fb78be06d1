using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>How often and how long the server waited for its turn to use the disk.</summary>
/// <remarks>The reference limits how many of its threads use the disk at once; here nothing does, so nothing waits.</remarks>
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
