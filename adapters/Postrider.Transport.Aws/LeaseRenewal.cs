using System.Globalization;
using Amazon.SQS.Model;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Aws;

/// <summary>Hides the messages of a listener from others while their handlers run.</summary>
/// <remarks>Thread-safe. A message is renewed when a third of its time is over; one that cannot be renewed may be delivered again.</remarks>
internal sealed partial class LeaseRenewal(AwsConnection connection, string queue, TimeSpan lease)
{
    private readonly Lock _changing = new(); // guards _held and _round
    private readonly HashSet<ReceivedLease> _held = [];
    private Task _round = Task.CompletedTask;

    /// <summary>Starts to renew a message that was just received.</summary>
    internal ReceivedLease Add(Message message)
    {
        var added = new ReceivedLease(message, connection.Time.GetTimestamp());
        lock (_changing)
            _held.Add(added);
        return added;
    }

    /// <summary>Ends the renewal of a message. When it has returned, no renewal can overtake its settlement.</summary>
    internal Task RemoveAsync(ReceivedLease held)
    {
        lock (_changing)
            return _held.Remove(held) ? _round : Task.CompletedTask;
    }

    /// <summary>Renews until it is cancelled.</summary>
    internal async Task RunAsync(CancellationToken ct)
    {
        try
        {
            using var timer = new PeriodicTimer(lease / 6, connection.Time);
            while (await timer.WaitForNextTickAsync(ct).ConfigureAwait(false))
            {
                Task round;
                lock (_changing)
                {
                    ReceivedLease[] due = [.. _held.Where(held => connection.Time.GetElapsedTime(held.RenewedAt) >= lease / 3)];
                    round = _round = due.Length == 0 ? Task.CompletedTask : RenewAsync(due);
                }

                await round.ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The listener has ended.
        }
    }

    private async Task RenewAsync(ReceivedLease[] due)
    {
        await Task.Yield();
        foreach (var batch in due.Chunk(SqsLimits.MaxBatch))
        {
            var began = connection.Time.GetTimestamp();
            try
            {
                var url = await connection.OnceAsync(ct => connection.QueueUrlAsync(queue, ct), CancellationToken.None).ConfigureAwait(false);
                var entries = batch.Select((held, i) => new ChangeMessageVisibilityBatchRequestEntry(i.ToString(CultureInfo.InvariantCulture), held.Message.ReceiptHandle) { VisibilityTimeout = SqsLimits.Seconds(lease) }).ToList();
                var answer = await connection.OnceAsync(ct => connection.Sqs.ChangeMessageVisibilityBatchAsync(new(url, entries), ct), CancellationToken.None).ConfigureAwait(false);
                var errors = SqsResults.Of(batch.Length, answer.Successful?.Select(static entry => entry.Id), answer.Failed);
                for (var i = 0; i < batch.Length; i++)
                    Note(batch[i], errors[i], began);
            }
            catch (Exception error)
            {
                // The next round is due before the time is over.
                LogNotRenewed(connection.Logger, queue, batch.Length, error);
            }
        }
    }

    private void Note(ReceivedLease held, Exception? error, long began)
    {
        if (error is null)
        {
            held.RenewedAt = began;
        }
        else if (AwsErrors.IsLeaseLost(error))
        {
            lock (_changing)
                _held.Remove(held);
            if (!held.IsDeleting)
                LogLost(connection.Logger, held.Message.MessageId, queue, error.Message);
        }
        else
        {
            LogNotRenewed(connection.Logger, queue, 1, error);
        }
    }

    [LoggerMessage(3, LogLevel.Warning, "Message {MessageId} of queue '{Queue}' is no longer reserved for its handler, which is still running ({Reason}): it may be delivered again.")]
    private static partial void LogLost(ILogger logger, string messageId, string queue, string reason);

    [LoggerMessage(4, LogLevel.Warning, "{Count} messages of queue '{Queue}' could not be reserved for their handlers; the attempt will be repeated.")]
    private static partial void LogNotRenewed(ILogger logger, string queue, int count, Exception error);
}
