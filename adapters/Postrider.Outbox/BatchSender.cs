using System.Collections.Concurrent;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Sends batches of rows over a transport: rows of one key sequentially, others concurrently.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed partial class BatchSender(ITransport transport, string name, OutboxOptions options, TimeProvider time, ILogger logger)
{
    // Senders to further destinations are opened for each message.
    private const int MaxKeptSenders = 1000;

    private readonly ConcurrentDictionary<string, MessageSender> _senders = new(StringComparer.Ordinal);

    internal string Name => name;

    /// <summary>Sends rows.</summary>
    /// <param name="batch">The rows, in their order.</param>
    /// <param name="mayBegin">Checked before each send; false leaves the rest.</param>
    /// <param name="timeout">The timeout of one send.</param>
    /// <returns>The outcome; a row that was not tried, because one of its key failed or the transport does not work, is not
    /// mentioned. Does not throw.</returns>
    internal async Task<SendOutcome> SendAsync(List<OutboxMessage> batch, Func<bool> mayBegin, TimeSpan timeout)
    {
        var outcome = new SendOutcome();
        var lanes = new List<Task>();
        foreach (var message in batch)
        {
            if (message.Key is null)
                lanes.Add(SendLaneAsync([message], outcome, mayBegin, timeout));
        }

        foreach (var lane in batch.Where(static message => message.Key is not null).GroupBy(static message => message.Key, StringComparer.Ordinal))
            lanes.Add(SendLaneAsync(lane, outcome, mayBegin, timeout));
        await Task.WhenAll(lanes).ConfigureAwait(false);
        Judge(outcome);
        return outcome;
    }

    // If nothing was accepted, the transport does not work. Otherwise the reason is one of its destinations, or the message.
    private void Judge(SendOutcome outcome)
    {
        foreach (var (destination, lost) in outcome.Lost)
        {
            if (outcome.Sent.Count == 0)
            {
                outcome.Outage ??= lost[0].Failure;
            }
            else if (outcome.HasReached(destination))
            {
                foreach (var (message, failure) in lost)
                    Fail(message, failure, outcome);
            }
            else
            {
                outcome.Unavailable.Add(destination);
                LogUnavailable(logger, destination, name, options.Retry.MaxDelay.TotalSeconds, MessageText.Describe(lost[0].Failure), StackOf(lost[0].Failure));
            }
        }
    }

    private async Task SendLaneAsync(IEnumerable<OutboxMessage> lane, SendOutcome outcome, Func<bool> mayBegin, TimeSpan timeout)
    {
        foreach (var message in lane)
        {
            lock (outcome)
            {
                if (outcome.IsGivenUp(message.Destination) || !mayBegin())
                    return;
            }

            try
            {
                await SendAsync(message, timeout).ConfigureAwait(false);
                OutboxTelemetry.Sent(message, time.GetUtcNow());
                lock (outcome)
                    outcome.Accept(message);
            }
            catch (Exception failure)
            {
                // A failure of a transport means one of two things: this message cannot be sent, or none can.
                if (IsOutage(failure))
                {
                    lock (outcome)
                        outcome.Lose(message, failure);
                    return;
                }

                if (Fail(message, failure, outcome) == OutboxState.Dead && !options.KeepOrderBehindDeadLetters)
                    continue;
                return;
            }
        }
    }

    private OutboxState Fail(OutboxMessage message, Exception failure, SendOutcome outcome)
    {
        var failed = Plan(message, failure);
        OutboxTelemetry.Failed(failed);
        lock (outcome)
            outcome.Failed.Add(failed);
        if (failed.State == OutboxState.Dead)
            LogDead(logger, message.Id, message.Destination, name, message.Attempts + 1, MessageText.Describe(failure), StackOf(failure));
        else
            LogRepeated(logger, message.Id, message.Destination, name, message.Attempts + 1, MessageText.Describe(failure), StackOf(failure));
        return failed.State;
    }

    private async Task SendAsync(OutboxMessage message, TimeSpan timeout)
    {
        var properties = MessageText.Read(message.Headers);
        if (properties.ExpiresAt is { } expiry && expiry <= time.GetUtcNow())
            throw new PostriderException(PostriderError.Refused, $"The message expired at {expiry.UtcDateTime:O}.");
        using var activity = OutboxTelemetry.Start(message, ref properties);
        using var limit = new CancellationTokenSource(timeout, time);
        try
        {
            await SenderTo(message.Destination).SendAsync(in properties, message.Body, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (limit.IsCancellationRequested)
        {
            var failure = new TimeoutException($"The transport '{name}' did not accept the message within {timeout}.", late);
            OutboxTelemetry.Fail(activity, failure);
            throw failure;
        }
        catch (Exception failure)
        {
            OutboxTelemetry.Fail(activity, failure);
            throw;
        }
    }

    private MessageSender SenderTo(string destination)
    {
        if (_senders.TryGetValue(destination, out var known))
            return known;
        var opened = transport.OpenSender(destination);
        if (_senders.Count < MaxKeptSenders)
            _senders.TryAdd(destination, opened);
        return opened;
    }

    private FailedSend Plan(OutboxMessage message, Exception failure)
    {
        var attempt = message.Attempts + 1;
        var now = time.GetUtcNow();
        var isFull = failure is PostriderException { Error: PostriderError.QueueFull };
        var isRetried = isFull || (!IsFinal(failure) && attempt < options.Retry.MaxAttempts && options.Retry.Handle?.Invoke(failure) != false);
        var retryAt = isRetried ? now + options.Retry.DelayAfter(attempt, TimeSpan.Zero) : now;
        return new FailedSend(message, isRetried ? OutboxState.Ready : OutboxState.Dead, retryAt.ToUnixTimeMilliseconds(), MessageText.Describe(failure));
    }

    private static bool IsFinal(Exception failure)
        => failure is JsonException or ArgumentException or PostriderException { Error: PostriderError.TooLarge or PostriderError.Codec or PostriderError.Refused };

    // The connection, the account or the server of the transport failed. Its messages wait without losing attempts.
    private static bool IsOutage(Exception failure)
        => failure is not (JsonException or ArgumentException or PostriderException) || failure is PostriderException { Error: PostriderError.Configuration or PostriderError.Unavailable };

    // The text of Postrider's own exceptions is enough.
    private Exception? StackOf(Exception failure) => failure is not PostriderException || logger.IsEnabled(LogLevel.Debug) ? failure : null;

    [LoggerMessage(2, LogLevel.Error, "Message {Id} to '{Destination}' on transport '{Transport}' could not be sent after {Attempts} attempts and stays in the outbox as a dead letter. {Reason}")]
    private static partial void LogDead(ILogger logger, string id, string destination, string transport, int attempts, string reason, Exception? failure);

    [LoggerMessage(9, LogLevel.Warning, "Destination '{Destination}' on transport '{Transport}' does not work, and others do: its messages wait in the outbox for {Seconds} s. {Reason}")]
    private static partial void LogUnavailable(ILogger logger, string destination, string transport, double seconds, string reason, Exception? failure);

    [LoggerMessage(8, LogLevel.Warning, "Message {Id} to '{Destination}' on transport '{Transport}' could not be sent (attempt {Attempt}) and waits in the outbox for another attempt. {Reason}")]
    private static partial void LogRepeated(ILogger logger, string id, string destination, string transport, int attempt, string reason, Exception? failure);
}
