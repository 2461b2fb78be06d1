namespace Postrider.Client.JetStream.Models;

/// <summary>What a stream allows its consumers, and gives them when they say nothing.</summary>
public sealed record ConsumerLimits
{
    /// <summary>How long a consumer may be unused before it is deleted.</summary>
    public TimeSpan InactiveThreshold { get; set; }

    /// <summary>How many messages may wait for acknowledgements.</summary>
    public int MaxAckPending { get; set; }
}
