using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>Options of an ordered consumer.</summary>
public sealed record OrderedConsumerOptions
{
    /// <summary>The subject filters; empty for all subjects.</summary>
    public IReadOnlyList<string> FilterSubjects { get; init; } = [];

    /// <summary>Where it starts.</summary>
    public DeliverPolicy DeliverPolicy { get; init; }

    /// <summary>The start sequence, with <see cref="DeliverPolicy.ByStartSequence"/>.</summary>
    public ulong StartSequence { get; init; }

    /// <summary>The start time, with <see cref="DeliverPolicy.ByStartTime"/>.</summary>
    public DateTimeOffset? StartTime { get; init; }

    /// <summary>How fast stored messages are delivered.</summary>
    public ReplayPolicy ReplayPolicy { get; init; }

    /// <summary>Whether messages are delivered without their payloads.</summary>
    public bool HeadersOnly { get; init; }

    /// <summary>Whether the server pushes messages, with flow control, instead of the client pulling them.</summary>
    public bool UsesPush { get; init; }

    /// <summary>Maximum number of requested and unread messages when pulling. Default 1000.</summary>
    public int MaxMessages { get; init; } = 1000;

    /// <summary>Interval of heartbeats; after two missed heartbeats the consumer is recreated. Default 5 s.</summary>
    public TimeSpan Heartbeat { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the server keeps the consumer when it is no longer used. Default 5 min.</summary>
    public TimeSpan InactiveThreshold { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>The prefix of the names of its consumers; null for a random one.</summary>
    public string? NamePrefix { get; init; }

    /// <summary>Application-defined metadata.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
