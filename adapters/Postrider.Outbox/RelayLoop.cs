using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>Takes rows of one transport from the outbox, sends them, and removes the sent ones.</summary>
/// <remarks>Not thread-safe: a loop each.</remarks>
internal abstract class RelayLoop(OutboxStore store, BatchSender sender, OutboxOptions options, TimeProvider time)
{
    /// <summary>The number of messages that test a transport.</summary>
    protected const int ProbeSize = 16;

    /// <summary>A time that exceeds the longest wait by more than this was written by a wrong clock. Within it, another process may have longer
    /// waits or leases, or a slightly different clock.</summary>
    protected const long SkewMilliseconds = 60 * 60 * 1000;

    protected OutboxStore Store => store;

    protected OutboxOptions Options => options;

    protected BatchSender Sender => sender;

    /// <summary>Milliseconds since 1970-01-01 UTC.</summary>
    protected long Now => time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>The latest time at which a message can be waiting for its next attempt.</summary>
    protected long Latest(long now) => now + (long)options.Retry.MaxDelay.TotalMilliseconds + SkewMilliseconds;

    /// <summary>Sends until there is nothing left to send.</summary>
    /// <param name="isProbe">Whether the transport did not work before: a few messages of each destination test it.</param>
    /// <param name="stop">Ends it after the current batch.</param>
    /// <returns>The failure of the transport; null if it works.</returns>
    /// <exception cref="DbException">The database cannot be used. Messages that were sent and could not be removed are sent again.</exception>
    internal async ValueTask<Exception?> DrainAsync(bool isProbe, CancellationToken stop)
    {
        var open = await store.OpenAsync(stop).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
        {
            while (!stop.IsCancellationRequested)
            {
                var (goesOn, outage) = await RelayAsync(open.Connection, isProbe, stop).ConfigureAwait(false);
                if (outage is not null || !goesOn)
                    return outage;
                isProbe = false;
            }
        }

        return null;
    }

    /// <summary>How long to wait unless a message is committed in this process.</summary>
    /// <param name="most">The longest wait.</param>
    /// <param name="ct">Cancels the query.</param>
    internal async ValueTask<TimeSpan> NextAsync(TimeSpan most, CancellationToken ct)
    {
        var open = await store.OpenAsync(ct).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
        {
            if (await open.Connection.ScalarAsync(null, store.Text.NextDue, [("transport", sender.Name)], ct).ConfigureAwait(false) is not long due)
                return most;
            var wait = TimeSpan.FromMilliseconds(Math.Max(1, Math.Min(due - Now, int.MaxValue)));
            return wait < most ? wait : most;
        }
    }

    /// <summary>Releases what other relays wait for.</summary>
    internal virtual ValueTask EndAsync() => default;

    /// <summary>Sends one batch.</summary>
    /// <returns>Whether there may be more, and the failure of the transport.</returns>
    protected abstract ValueTask<(bool GoesOn, Exception? Outage)> RelayAsync(DbConnection connection, bool isProbe, CancellationToken stop);

    /// <summary>Lets the rows of destinations that do not work wait, so that those of others have their turn.</summary>
    // Outside of the transaction of the batch, and without waiting for rows of other relays.
    protected async ValueTask DeferAsync(DbConnection connection, SendOutcome outcome)
    {
        foreach (var destination in outcome.Unavailable)
        {
            await connection.ExecuteAsync(
                null,
                store.Text.Defer,
                [("transport", sender.Name), ("destination", destination), ("until", Now + (long)options.Retry.MaxDelay.TotalMilliseconds)],
                CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Removes sent rows and records failed ones.</summary>
    // Not cancelled: the result of the sends is only known here.
    protected async ValueTask RecordAsync(DbConnection connection, DbTransaction transaction, SendOutcome outcome)
    {
        if (outcome.Sent.Count > 0)
            await connection.ExecuteAsync(transaction, store.Text.DeleteSent(outcome.Sent), [], CancellationToken.None).ConfigureAwait(false);
        foreach (var failed in outcome.Failed)
        {
            await connection.ExecuteAsync(
                transaction,
                store.Text.Fail,
                [("retry", failed.RetryAt), ("state", (int)failed.State), ("error", failed.Error), ("seq", failed.Message.Sequence)],
                CancellationToken.None).ConfigureAwait(false);
        }
    }
}
