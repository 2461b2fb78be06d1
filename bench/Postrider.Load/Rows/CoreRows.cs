namespace Postrider.Load.Rows;

/// <summary>The rows of the broker's main table, in the order they are printed.</summary>
internal static class CoreRows
{
    // What a tracing client sends: one header of 16 hexadecimal digits.
    private const string TraceHeader = "NATS/1.0\r\nTrace: 0123456789abcdef\r\n\r\n";

    /// <summary>The row after which the memory is looked at again: most connections times most bytes under way.</summary>
    public const string Heaviest = "all-see-all-128";

    public static IReadOnlyList<StreamRow> Streams { get; } =
    [
        new("publish-16", "publish only, 16 B", 16, new(5, 5)) { Subscribers = 0, Feed = Feed.None },
        new("publish-128", "publish only, 128 B", 128, new(3.5, 3.5)) { Subscribers = 0, Feed = Feed.None },
        new("one-16", "1:1, 16 B", 16, new(8, 9)),
        new("one-128", "1:1, 128 B", 128, new(5, 5.5)),
        new("one-1k", "1:1, 1 KiB", 1024, null),
        new("one-4k", "1:1, 4 KiB", 4 * 1024, null),
        new("one-16k", "1:1, 16 KiB", 16 * 1024, new(1.25, 1.4)),
        new("one-64k", "1:1, 64 KiB", 64 * 1024, null),
        new("one-128-no-window", "1:1, 128 B, no flow window", 128, new(5, 5.5)) { WindowBytes = null },
        new("fan-out-128", "fan-out 1:4, 128 B", 128, new(4, 5.5)) { Subscribers = 4, Feed = Feed.All },
        new("own-subjects-128", "4:4 own subjects, 128 B", 128, new(4.5, 6)) { Publishers = 4, Subscribers = 4 },
        new(Heaviest, "4:4 all see all, 128 B", 128, new(3.5, 4)) { Publishers = 4, Subscribers = 4, Feed = Feed.All },
        new("headers-128", "1:1 with headers, 128 B", 128, new(5, 6)) { Headers = TraceHeader },
        new("queue-128", "queue group 2:3, 128 B", 128, new(4.5, 4.5)) { Publishers = 2, Subscribers = 3, Feed = Feed.Shared },
        new("wildcard-128", "100 subjects through a wildcard, 128 B", 128, new(3.5, 4)) { SubjectsPerPublisher = 100 },
    ];

    public static IReadOnlyList<RequestRow> Requests { get; } =
    [
        new("request-one", "request/reply 1:1, 128 B", 128, 1, 1, new(1.4, 2.3, 0.75, 0.75)),
        new("request-queue", "request/reply 10:2 queue, 16 B", 16, 10, 2, new(1.5, 1.7, 0.75)),
    ];
}
