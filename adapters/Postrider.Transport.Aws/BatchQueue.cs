namespace Postrider.Transport.Aws;

/// <summary>Collects items into batches while requests are pending, and gives each item its own result.</summary>
/// <remarks>Thread-safe. An item is sent immediately while fewer than <paramref name="maxRequests"/> requests are pending; no item waits for
/// others to arrive. With one request, the items keep their order.</remarks>
/// <typeparam name="TItem">The type of item to send.</typeparam>
/// <param name="connection">Retries and logs.</param>
/// <param name="destination">The destination, for errors.</param>
/// <param name="maxBytes">The bytes of a batch.</param>
/// <param name="maxRequests">The maximum number of concurrent requests.</param>
/// <param name="send">Sends a batch; returns an error for each item, null for success. An exception is the error of all items.</param>
internal sealed class BatchQueue<TItem>(AwsConnection connection, string destination, long maxBytes, int maxRequests, Func<IReadOnlyList<TItem>, CancellationToken, Task<Exception?[]>> send)
{
    private readonly Lock _changing = new(); // guards _waiting and _requests
    private readonly Queue<Entry> _waiting = new();
    private int _requests;

    /// <summary>Sends an item.</summary>
    /// <param name="item">The item.</param>
    /// <param name="bytes">Its size, at most the size of a batch.</param>
    /// <param name="ct">Ends the wait. An item that no request has taken yet is not sent.</param>
    internal async ValueTask AddAsync(TItem item, long bytes, CancellationToken ct)
    {
        var entry = new Entry(item, bytes);
        List<Entry>? batch = null;
        lock (_changing)
        {
            _waiting.Enqueue(entry);
            if (_requests < maxRequests)
            {
                _requests++;
                batch = TakeLocked();
            }
        }

        if (batch is not null)
            _ = RunAsync(batch);
        try
        {
            await entry.Done.Task.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            entry.Done.TrySetCanceled(CancellationToken.None);
            throw;
        }
    }

    private async Task RunAsync(List<Entry> batch)
    {
        while (true)
        {
            await SendAsync(batch).ConfigureAwait(false);
            lock (_changing)
            {
                batch = TakeLocked();
                if (batch.Count == 0)
                {
                    _requests--;
                    return;
                }
            }
        }
    }

    private List<Entry> TakeLocked()
    {
        var batch = new List<Entry>();
        var bytes = 0L;
        while (batch.Count < SqsLimits.MaxBatch && _waiting.TryPeek(out var next) && (batch.Count == 0 || bytes + next.Bytes <= maxBytes))
        {
            _waiting.Dequeue();
            // The caller may have given up.
            if (next.Done.Task.IsCompleted)
                continue;
            batch.Add(next);
            bytes += next.Bytes;
        }

        return batch;
    }

    // Only failed items are sent again.
    private async Task SendAsync(List<Entry> batch)
    {
        var policy = connection.Options.Retry.Policy;
        var pause = TimeSpan.Zero;
        for (var attempt = 1; batch.Count > 0; attempt++)
        {
            var (errors, isWhole) = await OnceAsync(batch).ConfigureAwait(false);
            var again = new List<Entry>();
            Exception? reason = null;
            var next = TimeSpan.Zero;
            for (var i = 0; i < batch.Count; i++)
            {
                if (errors[i] is not { } error)
                {
                    batch[i].Done.TrySetResult();
                }
                else if (policy.TryPlan(error, attempt, pause, out var wait))
                {
                    (reason, next) = (error, wait > next ? wait : next);
                    again.Add(batch[i]);
                }
                else if (isWhole && batch.Count > 1 && !AwsErrors.IsPassing(error) && !AwsErrors.IsRejected(error) && !AwsErrors.IsMissing(error))
                {
                    // One item may cause the whole batch to fail: each is sent separately.
                    await SendAsync([batch[i]]).ConfigureAwait(false);
                }
                else
                {
                    batch[i].Done.TrySetException(AwsErrors.Translate(error, destination, connection.Service));
                }
            }

            if (again.Count > 0)
            {
                connection.LogRepeated(destination, attempt, again.Count, reason!);
                pause = next;
                if (!await connection.PauseAsync(pause).ConfigureAwait(false))
                {
                    foreach (var entry in again)
                        entry.Done.TrySetException(AwsErrors.Translate(reason!, destination, connection.Service));
                    return;
                }
            }

            batch = again;
        }
    }

    private async Task<(Exception?[] Errors, bool IsWhole)> OnceAsync(List<Entry> batch)
    {
        try
        {
            return (await connection.OnceAsync(ct => send([.. batch.Select(static entry => entry.Item)], ct), CancellationToken.None).ConfigureAwait(false), false);
        }
        catch (Exception error)
        {
            var errors = new Exception?[batch.Count];
            Array.Fill(errors, error);
            return (errors, true);
        }
    }

    private sealed record Entry(TItem Item, long Bytes)
    {
        internal TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
