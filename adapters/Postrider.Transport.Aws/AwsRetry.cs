using Postrider.Resilience;

namespace Postrider.Transport.Aws;

/// <summary>The retry profile: how often a request is repeated that was throttled, got no response, or failed with a fault of the
/// service.</summary>
/// <remarks>The retries of a message whose handler failed are defined by the binding (<c>AtLeastOnceBinding.Retry</c>).</remarks>
public sealed record AwsRetry
{
    /// <summary>Number of attempts of a request, including the first. 5 by default. Of a batch only the messages that failed are sent
    /// again.</summary>
    public int SendAttempts { get; set; } = 5;

    /// <summary>The longest pause between two attempts to send or to poll. 5 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The timeout of one attempt. 15 s by default; <see cref="AwsThroughput.PollWait"/> is added
    /// for polls.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(15);

    internal RetryPolicy Policy => new() { MaxAttempts = SendAttempts, BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = MaxPause, Handle = AwsErrors.IsPassing };
}
