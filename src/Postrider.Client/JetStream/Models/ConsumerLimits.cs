namespace Postrider.Client.JetStream.Models;

/// <summary>Limits and defaults for the consumers of a stream.</summary>
public sealed record ConsumerLimits
{
    /// <summary>How long a consumer may be inactive before it is deleted.</summary>
    public TimeSpan InactiveThreshold { get; set; }

    /// <summary>Maximum number of unacknowledged messages.</summary>
    public int MaxAckPending { get; set; }
}
