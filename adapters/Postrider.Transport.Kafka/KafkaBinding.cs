using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>Binds to a topic, as a member of a consumer group.</summary>
/// <remarks>
/// <see cref="TransportBinding.Group"/> is required: the processes of a group share the partitions, and each group gets every message.
/// <see cref="AtLeastOnceBinding.DeadLetter"/> is another topic. A message that is retried is kept in the process and its offset is not
/// committed before it is finished, so the attempts before a crash are not counted after it.
/// </remarks>
public sealed record KafkaBinding : AtLeastOnceBinding
{
    // A timer's longest time is 49 days.
    private static readonly TimeSpan s_maxDelay = TimeSpan.FromDays(30);

    /// <summary>Binds to a topic, as a member of a consumer group.</summary>
    /// <param name="source">The topic.</param>
    public KafkaBinding(string source)
        : base(source)
    {
    }

    // With everything that the general binding says.
    internal KafkaBinding(AtLeastOnceBinding general)
        : base(general)
    {
    }

    /// <summary>Where a group without committed offsets starts: true for the oldest available message, false for messages that
    /// arrive after it joined. True by default.</summary>
    public bool FromBeginning { get; init; } = true;

    /// <summary>The name by which the servers recognize this member after a restart, unique in its group: its partitions are reserved for it for
    /// <see cref="KafkaRetry.SessionTimeout"/>. Null for none.</summary>
    public string? Member { get; init; }

    /// <summary>Number of partitions of the topic: if the topic has fewer, the start fails; a missing topic is created with this number.
    /// Null accepts any, and creates a missing topic with the servers' default.</summary>
    public int? Partitions { get; init; }

    /// <summary>Whether a missing topic and a missing dead-letter topic are created when the listener starts. False only checks that they
    /// are there, for accounts without the right to create.</summary>
    public bool DeclaresTopology { get; init; } = true;

    /// <inheritdoc/>
    protected override void Validate()
    {
        base.Validate();
        if (string.IsNullOrEmpty(Group)) throw Contradiction("it has no Group; set Group to the name that the processes which share its messages have in common");
        if (Retry.MaxDelay > s_maxDelay) throw Contradiction($"Retry.MaxDelay is {Retry.MaxDelay}, and a message waits in this process for at most {s_maxDelay}");
        if (Partitions is < 1) throw Contradiction($"Partitions is {Partitions} and must be at least 1");
        if (Member is { Length: 0 }) throw Contradiction("Member is empty; set it to null for no name");
        if (KafkaTopic.Problem(Source) is { } problem) throw Contradiction($"the name of its topic is not valid: {problem}");
        if (DeadLetter is not null && KafkaTopic.Problem(DeadLetter) is { } wrong) throw Contradiction($"the name of its dead-letter topic is not valid: {wrong}");
    }

    internal void Check() => Validate();
}
