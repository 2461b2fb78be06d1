namespace Postrider.Load.Rows;

/// <summary>The rows about publishing and consuming, in the order they are printed.</summary>
internal static class JetStreamRows
{
    /// <summary>Keys of the bucket that is watched.</summary>
    public const int Keys = 100_000;

    /// <summary>Messages that a client fetches at once, or is kept asked for: what the official clients ask for when nothing is said.</summary>
    public const int Batch = 500;

    public static IReadOnlyList<JetStreamRow> All { get; } =
    [
        new("js-async-file-128", "async publish, 128 B, file", StreamWork.PublishAsync, 128, "file", new(5, 6)),
        new("js-async-memory-128", "async publish, 128 B, memory", StreamWork.PublishAsync, 128, "memory", new(6, 8)),
        new("js-async-file-16k", "async publish, 16 KiB, file", StreamWork.PublishAsync, 16 * 1024, "file", new(1.15, 1.2)) { InFlight = 512 },
        new("js-sync-memory-16", "sync publish, 16 B, memory", StreamWork.PublishSync, 16, "memory", new(1.4, 2.2, 0.75)),
        new("js-sync-memory-128", "sync publish, 128 B, memory", StreamWork.PublishSync, 128, "memory", new(1.4, 2.2, 0.75)),
        new("js-sync-file-16", "sync publish, 16 B, file", StreamWork.PublishSync, 16, "file", new(1.4, 2.2, 0.75)),
        new("js-sync-file-128", "sync publish, 128 B, file", StreamWork.PublishSync, 128, "file", new(1.4, 2.2, 0.75)),
        new("js-fetch-file", "durable fetch of 500, explicit acks, 128 B, file", StreamWork.Fetch, 128, "file", new(4, 4)),
        new("js-fetch-memory", "durable fetch of 500, explicit acks, 128 B, memory", StreamWork.Fetch, 128, "memory", new(4, 4)),
        new("js-ordered-pull", "ordered consumer by pull, 128 B, file", StreamWork.OrderedPull, 128, "file", new(2.5, 2.5)),
        new("js-ordered-push", "ordered consumer by push, 128 B, file", StreamWork.OrderedPush, 128, "file", new(2.5, 2.5)),
        new("js-watch-all", $"key-value: watch all {Keys:N0} keys, 128 B, file", StreamWork.WatchAll, 128, "file", new(2, 2)),
    ];
}
