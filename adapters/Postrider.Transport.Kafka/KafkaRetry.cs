namespace Postrider.Transport.Kafka;

/// <summary>The retry profile: how long sends are repeated, and timeouts of the group.</summary>
/// <remarks>The retries of a message whose handler failed are defined by the binding (<c>AtLeastOnceBinding.Retry</c>).</remarks>
public sealed record KafkaRetry
{
    /// <summary>How long a transport that is disposed waits for the confirmations of its messages.</summary>
    internal TimeSpan FlushTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a send is repeated until it fails with a <see cref="TimeoutException"/>. 30 s by default; longer than
    /// <see cref="KafkaThroughput.Linger"/>.</summary>
    public TimeSpan SendTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a send waits for a topic that the servers do not know, because a new one is not known everywhere immediately. 5 s by
    /// default; at most <see cref="SendTimeout"/>.</summary>
    public TimeSpan UnknownTopicWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest pause between two attempts to connect, to send or to listen. 5 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How often the offsets of finished messages are committed. 1 s by default: messages that a process finished after its last commit are
    /// handled again by another process if it dies.</summary>
    public TimeSpan CommitInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a listener that must give up a partition waits for its running handlers, so that their messages are not
    /// handled again. 5 s by default.</summary>
    public TimeSpan HandOverWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long after a process's last heartbeat its partitions are assigned to others. 45 s by default, which is Kafka's; 6 s is the
    /// least that servers allow without a change.</summary>
    public TimeSpan SessionTimeout { get; set; } = TimeSpan.FromSeconds(45);
}
