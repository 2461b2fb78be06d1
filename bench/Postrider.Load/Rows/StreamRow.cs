namespace Postrider.Load.Rows;

/// <summary>A row in which publishers send as fast as they may and subscribers count.</summary>
/// <param name="Name">Stable name: in JSON lines and for <c>--row</c>.</param>
/// <param name="Title">What the table prints.</param>
/// <param name="PayloadBytes">Bytes of payload per message.</param>
/// <param name="Targets">Against Go's server.</param>
internal sealed record StreamRow(string Name, string Title, int PayloadBytes, Targets? Targets)
{
    /// <summary>Bytes that may be under way to one subscriber; beyond it the publishers wait.</summary>
    public const long DefaultWindowBytes = 8 * 1024 * 1024;

    public int Publishers { get; init; } = 1;

    public int Subscribers { get; init; } = 1;

    public Feed Feed { get; init; } = Feed.Own;

    /// <summary>Subjects each publisher sends to in turn; a wildcard subscription takes them all.</summary>
    public int SubjectsPerPublisher { get; init; } = 1;

    /// <summary>A header block in front of each payload, or null.</summary>
    public string? Headers { get; init; }

    /// <summary>Null: the publishers never wait, whatever is under way.</summary>
    public long? WindowBytes { get; init; } = DefaultWindowBytes;

    /// <summary>Deliveries per published message.</summary>
    public int Copies => Feed switch { Feed.None => 0, Feed.All => Subscribers, _ => 1 };

    /// <summary>How many messages the row counts per published one: deliveries, or the published one itself.</summary>
    public int CountedPerPublish => Math.Max(1, Copies);

    /// <summary>Makes the subject of message i of the only publisher, where the pattern below does not serve.</summary>
    public Func<int, string>? SubjectOf { get; init; }

    public string Subject(int publisher, int index)
        => SubjectOf is not null ? SubjectOf(index) : SubjectsPerPublisher == 1 ? $"load.p{publisher}" : $"load.p{publisher}.{index:00}";

    public string Subscription(int subscriber) => Feed switch
    {
        Feed.Own when SubjectsPerPublisher > 1 => $"load.p{subscriber}.*",
        Feed.Own => Subject(subscriber, 0),
        _ => Publishers == 1 ? Subject(0, 0) : "load.*",
    };

    public string? QueueGroup => Feed == Feed.Shared ? "workers" : null;
}
