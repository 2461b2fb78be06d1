using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>What an ordered consumer delivers, and how.</summary>
public sealed record OrderedConsumerOptions
{
    /// <summary>The subjects; empty for all.</summary>
    public IReadOnlyList<string> FilterSubjects { get; init; } = [];

    /// <summary>Where it begins.</summary>
    public DeliverPolicy DeliverPolicy { get; init; }

    /// <summary>The sequence to begin at, with <see cref="DeliverPolicy.ByStartSequence"/>.</summary>
    public ulong StartSequence { get; init; }

    /// <summary>The time to begin at, with <see cref="DeliverPolicy.ByStartTime"/>.</summary>
    public DateTimeOffset? StartTime { get; init; }

    /// <summary>How fast it delivers what is stored.</summary>
    public ReplayPolicy ReplayPolicy { get; init; }

    /// <summary>Whether payloads are left out.</summary>
    public bool HeadersOnly { get; init; }

    /// <summary>Whether the server pushes, with flow control, in place of the client's pulls.</summary>
    public bool UsesPush { get; init; }

    /// <summary>Messages under way or unread at once, when they are pulled. Default 1000.</summary>
    public int MaxMessages { get; init; } = 1000;

    /// <summary>How often the server says that it lives; after twice as long without a sign the consumer is made anew. Default 5 s.</summary>
    public TimeSpan Heartbeat { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the server keeps a consumer that nobody uses any more. Default 5 min.</summary>
    public TimeSpan InactiveThreshold { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>What the names of its consumers begin with; null for a random one.</summary>
    public string? NamePrefix { get; init; }

    /// <summary>Names and values of the owner's own.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
