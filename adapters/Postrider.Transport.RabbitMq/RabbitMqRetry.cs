using Postrider.Resilience;

namespace Postrider.Transport.RabbitMq;

/// <summary>The retry profile: how failed sends and lost connections are repeated.</summary>
public sealed record RabbitMqRetry
{
    /// <summary>How often a send is attempted while the connection is lost; at least 1. 8 by default. A repeated send may store the
    /// message twice.</summary>
    public int SendAttempts { get; set; } = 8;

    /// <summary>The longest pause between two attempts to send, to connect or to listen. 5 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long an unused delay queue is kept beyond its delay. 10 minutes by default; at least a minute.</summary>
    public TimeSpan DelayQueueLife { get; set; } = TimeSpan.FromMinutes(10);

    internal RetryPolicy Policy => new() { MaxAttempts = SendAttempts, BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = MaxPause };
}
