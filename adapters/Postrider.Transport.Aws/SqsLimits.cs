namespace Postrider.Transport.Aws;

/// <summary>The limits of SQS, SNS and EventBridge. Source: their pages of quotas.</summary>
internal static class SqsLimits
{
    /// <summary>Of a message with its attributes, and of a batch, for a queue.</summary>
    internal const int MaxMessageBytes = 1024 * 1024;

    /// <summary>The same for a topic and an event bus.</summary>
    internal const int MaxPublishedBytes = 256 * 1024;

    /// <summary>Of any batch.</summary>
    internal const int MaxBatch = 10;

    /// <summary>Attributes of a message.</summary>
    internal const int MaxAttributes = 10;

    /// <summary>Receives of a redrive policy.</summary>
    internal const int MaxReceiveCount = 1000;

    /// <summary>The maximum time that a message can be hidden after a receiver got it.</summary>
    internal static readonly TimeSpan MaxVisibility = TimeSpan.FromHours(12);

    /// <summary>The maximum time that a message can be delayed after it was sent.</summary>
    internal static readonly TimeSpan MaxDelay = TimeSpan.FromMinutes(15);

    /// <summary>Whole seconds, rounded up.</summary>
    internal static int Seconds(TimeSpan time) => (int)Math.Ceiling(Math.Max(0, time.TotalSeconds));
}
