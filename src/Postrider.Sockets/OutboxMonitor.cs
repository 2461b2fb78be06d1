namespace Postrider.Sockets;

/// <summary>Checks every 100 ms the outboxes that wait for their reader, and runs only while there are any.</summary>
internal static class OutboxMonitor
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    // Guards the set and the timer.
    private static readonly Lock Gate = new();
    private static readonly HashSet<Outbox> Watched = [];
    private static Timer? _timer;

    /// <summary>Watches an outbox until it has sent everything or is closed.</summary>
    /// <param name="outbox">An outbox with pending bytes.</param>
    public static void Watch(Outbox outbox)
    {
        lock (Gate)
        {
            if (!Watched.Add(outbox) || Watched.Count > 1) return;
            _timer ??= new Timer(static _ => CheckAll());
            _timer.Change(Interval, Interval);
        }
    }

    private static void CheckAll()
    {
        Outbox[] outboxes;
        lock (Gate) outboxes = [.. Watched];
        foreach (var outbox in outboxes)
        {
            if (outbox.Check()) continue;
            lock (Gate)
            {
                Watched.Remove(outbox);
                if (Watched.Count == 0) _timer!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
            // It may have been blocked again between the check and the removal.
            if (outbox.IsWatched) Watch(outbox);
        }
    }
}
