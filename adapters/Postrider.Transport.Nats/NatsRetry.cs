using Postrider.Resilience;

namespace Postrider.Transport.Nats;

/// <summary>The retry profile: how failed sends and lost consumers are repeated.</summary>
public sealed record NatsRetry
{
    /// <summary>How often a message is sent to a stream while the connection is lost, a server restarts or a leader is elected; at least 1.
    /// 8 by default. A repeated message has the same id: the stream stores it once. Messages to subjects without a stream are sent
    /// once.</summary>
    public int SendAttempts { get; set; } = 8;

    /// <summary>The longest pause between two attempts to send. 2 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>The longest pause between two attempts to open a consumer that was lost. 10 s by default.</summary>
    public TimeSpan ReopenPause { get; set; } = TimeSpan.FromSeconds(10);

    internal RetryPolicy Policy => NatsStreamTransport.DefaultRetry with { MaxAttempts = SendAttempts, BaseDelay = Shorter(NatsStreamTransport.DefaultRetry.BaseDelay, MaxPause), MaxDelay = MaxPause };

    internal RetryPolicy Reopening => new() { BaseDelay = Shorter(TimeSpan.FromMilliseconds(250), ReopenPause), MaxDelay = ReopenPause, Backoff = Backoff.ExponentialJitter };

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
