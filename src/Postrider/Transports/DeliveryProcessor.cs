using System.Globalization;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Middleware;

namespace Postrider.Transports;

/// <summary>Passes the messages of an <see cref="AtLeastOnceBinding"/> to their receiver and decides the outcome of each: done, another
/// attempt, or a dead letter.</summary>
/// <remarks>Used by transports, one for each listener: the transport calls <see cref="HandleAsync"/> and carries out what
/// <see cref="MessageDelivery.SettleAsync"/> is given. Thread-safe.</remarks>
public sealed partial class DeliveryProcessor
{
    private readonly AtLeastOnceBinding _binding;
    private readonly EnvelopeReceiver _receiver;
    private readonly MessageSender? _deadLetters;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly CancellationToken _abandoned;
    private readonly BlockedKeys? _blocked;
    private readonly KeyedLock _order = new();

    /// <summary>Creates a processor.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="receiver">Handles the messages.</param>
    /// <param name="deadLetters">Sends to <see cref="AtLeastOnceBinding.DeadLetter"/>; null if the binding has none.</param>
    /// <param name="logger">Logs each dead letter.</param>
    /// <param name="time">The clock by which messages expire.</param>
    /// <param name="abandoned">Cancelled when the listener no longer waits for its handlers: their messages are returned.</param>
    /// <param name="ownDeadLetters">Lists the dead letters of a transport that stores them by settling their messages
    /// (<see cref="KeepsDeadLetters"/>); null for those that <paramref name="deadLetters"/> sends.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself, or needs a transport
    /// that lists dead letters.</exception>
    public DeliveryProcessor(
        AtLeastOnceBinding binding, EnvelopeReceiver receiver, MessageSender? deadLetters, ILogger logger, TimeProvider time, CancellationToken abandoned,
        IDeadLetters? ownDeadLetters = null)
    {
        ArgumentNullException.ThrowIfNull(binding);
        binding.Validate();
        (_binding, _receiver, _deadLetters, _logger, _time, _abandoned) = (binding, receiver, deadLetters, logger, time, abandoned);
        MaxAttempts = binding.Retry.MaxAttempts;
        if (binding.KeepOrderBehindDeadLetters && (ownDeadLetters ?? deadLetters?.Transport.OpenDeadLetters(deadLetters.Target.Destination)) is { } stored)
            _blocked = new(stored, time, abandoned);
    }

    /// <summary>Number of deliveries after which a failed message is dead-lettered; that of the binding, unless a transport gives up
    /// earlier.</summary>
    public long MaxAttempts { get; init; }

    /// <summary>Whether the transport stores dead letters by settling their messages, within the source itself: then
    /// <see cref="Settlement.Headers"/> contains the headers of the dead letter. False if they are sent, or dropped.</summary>
    public bool KeepsDeadLetters { get; init; }

    /// <summary>Handles one message and settles it.</summary>
    /// <param name="envelope">The message, with its <see cref="Envelope.Delivery"/>; the bytes are valid until the task
    /// completes.</param>
    /// <returns>Completes when the message is settled. Fails only if settling fails: then the message will be delivered again.</returns>
    public ValueTask HandleAsync(Envelope envelope)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        var delivery = envelope.Delivery ?? throw new ArgumentException("The envelope has no delivery.", nameof(envelope));
        delivery.IsProcessed = true;
        return _blocked is not null && envelope.Headers[HeaderNames.Key] is { Length: > 0 } key
            ? HandleInOrderAsync(_blocked, new(delivery.Store, delivery.Consumer, key), envelope, delivery)
            : AttemptAsync(envelope, delivery, key: null);
    }

    // The message has its place among those of its key when the method returns.
    private async ValueTask HandleInOrderAsync(BlockedKeys blocked, BlockedKeys.Key key, Envelope envelope, MessageDelivery delivery)
    {
        using var turn = await _order.EnterAsync(key.Text).ConfigureAwait(false);
        try
        {
            if (await IsBehindAsync(blocked, key, envelope, delivery).ConfigureAwait(false))
                await PutAwayAsync(envelope, delivery, key, DeadLetterReason.BehindDeadLetter, new PostriderException(PostriderError.Refused, $"An earlier message with the key '{key.Text}' is a dead letter.")).ConfigureAwait(false);
            else
                await AttemptAsync(envelope, delivery, key).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_abandoned.IsCancellationRequested)
        {
            await delivery.SettleAsync(new(SettlementKind.Return)).ConfigureAwait(false);
        }
    }

    private async ValueTask<bool> IsBehindAsync(BlockedKeys blocked, BlockedKeys.Key key, Envelope envelope, MessageDelivery delivery)
    {
        while (true)
        {
            try
            {
                _abandoned.ThrowIfCancellationRequested();
                return await blocked.IsBehindAsync(key, envelope.Headers).ConfigureAwait(false);
            }
            catch (Exception error) when (!_abandoned.IsCancellationRequested)
            {
                // Whether the message may be handled is not known yet.
                LogNotListed(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, _binding.DeadLetter!, _binding.Retry.MaxDelay.TotalSeconds, Describe(error), StackOf(error, isPassing: true));
            }

            await LongDelay.WaitAsync(_binding.Retry.MaxDelay, _time, _abandoned).ConfigureAwait(false);
        }
    }

    /// <param name="envelope">The message.</param>
    /// <param name="delivery">Its delivery.</param>
    /// <param name="key">The key whose messages wait until this one is done; null if they do not: then the transport keeps it between two
    /// attempts.</param>
    private async ValueTask AttemptAsync(Envelope envelope, MessageDelivery delivery, BlockedKeys.Key? key)
    {
        while (true)
        {
            if (delivery.Count > MaxAttempts)
            {
                await PutAwayAsync(envelope, delivery, key, DeadLetterReason.Unanswered, new TimeoutException($"Delivered {delivery.Count - 1} times without an acknowledgement.")).ConfigureAwait(false);
                return;
            }

            if (MessageProperties.ParseTime(envelope.Headers[HeaderNames.ExpiresAt]) is { } expiry && expiry <= _time.GetUtcNow())
            {
                await PutAwayAsync(envelope, delivery, key, DeadLetterReason.Expired, new TimeoutException($"The message expired at {expiry.UtcDateTime:O}.")).ConfigureAwait(false);
                return;
            }

            try
            {
                await ReceiveAsync(envelope, delivery).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_abandoned.IsCancellationRequested)
            {
                await delivery.SettleAsync(new(SettlementKind.Return)).ConfigureAwait(false);
                return;
            }

            if (delivery.Failure is not { } failure)
            {
                if (key is { } handled)
                    _blocked!.Unblock(handled, envelope.Headers);
                await delivery.SettleAsync(new(SettlementKind.Done)).ConfigureAwait(false);
                if (delivery.Done is { } done)
                    await done().ConfigureAwait(false);
                return;
            }

            ProcessSpan.Fail(failure);
            if (ReasonToGiveUp(delivery, failure, out var delay) is { } reason)
            {
                await PutAwayAsync(envelope, delivery, key, reason, failure).ConfigureAwait(false);
                return;
            }

            // The last attempt logs the stack: usually it is the same each time.
            LogRetry(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, delivery.Count, MaxAttempts, delay.TotalSeconds, Describe(failure), _logger.IsEnabled(LogLevel.Debug) ? failure : null);
            if (key is null)
            {
                await delivery.SettleAsync(new(SettlementKind.Retry) { Delay = delay }).ConfigureAwait(false);
                return;
            }

            await LongDelay.WaitAsync(delay, _time, _abandoned).ConfigureAwait(false);
            delivery.Repeat();
        }
    }

    // Another message was stored first: the handling is repeated immediately, whatever the transport would count as an attempt.
    private async ValueTask ReceiveAsync(Envelope envelope, MessageDelivery delivery)
    {
        for (var conflicts = 1; ; conflicts++)
        {
            try
            {
                await _receiver(envelope, _abandoned).ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is not OperationCanceledException || !_abandoned.IsCancellationRequested)
            {
                // The receiver is not a pump: any exception of it is a failure of the message.
                delivery.Fail(failure);
            }

            if (delivery.Failure is null || !await Conflicts.WaitAsync(delivery.Failure, conflicts, _abandoned).ConfigureAwait(false))
                return;
            delivery.Reset();
        }
    }

    // Null for another attempt after the delay.
    private DeadLetterReason? ReasonToGiveUp(MessageDelivery delivery, Exception failure, out TimeSpan delay)
    {
        delay = default;
        if (delivery.Refusal is { } reason)
            return reason;
        if (delivery.IsUnreadable)
            return DeadLetterReason.Unreadable;
        if (delivery.Count >= MaxAttempts)
            return DeadLetterReason.Exhausted;
        // The previous attempt may have run in another process: the delay chosen there is not known, but its maximum is.
        var attempt = (int)delivery.Count;
        var previous = attempt == 1 ? TimeSpan.Zero : TimeSpan.FromTicks((long)Math.Min(_binding.Retry.MaxDelay.Ticks, _binding.Retry.BaseDelay.Ticks * Math.Pow(3, attempt - 1)));
        return _binding.Retry.TryPlan(failure, attempt, previous, out delay) ? null : DeadLetterReason.Final;
    }

    private async ValueTask PutAwayAsync(Envelope envelope, MessageDelivery delivery, BlockedKeys.Key? key, DeadLetterReason reason, Exception failure)
    {
        var isShortened = false;
        while (_deadLetters is not null)
        {
            try
            {
                var headers = isShortened ? DeadLetterHeading.Shortest(envelope, delivery, reason) : DeadLetterHeading.Of(envelope, delivery, reason, failure);
                var properties = MessageProperties.From(headers) with { DeduplicationId = DeadLetterHeading.IdOf(delivery) };
                await _deadLetters.SendDeadLetterAsync(properties, envelope.Body, _abandoned).ConfigureAwait(false);
                break;
            }
            catch (PostriderException tooLarge) when (tooLarge.Error == PostriderError.TooLarge && !isShortened)
            {
                // A message just below the limit has no room for the description of its failure, which is only logged.
                isShortened = true;
                LogShortened(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, _deadLetters.Target.Destination, tooLarge.Message);
                continue;
            }
            catch (Exception error)
            {
                // No message is settled before its dead letter is stored: it is delivered again and takes the same path.
                LogNotPutAway(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, _deadLetters.Target.Destination, _binding.Retry.MaxDelay.TotalSeconds, Describe(error), StackOf(error, isPassing: true));
                if (key is null)
                {
                    await delivery.SettleAsync(new(SettlementKind.Retry) { Delay = _binding.Retry.MaxDelay }).ConfigureAwait(false);
                    return;
                }
            }

            await LongDelay.WaitAsync(_binding.Retry.MaxDelay, _time, _abandoned).ConfigureAwait(false);
        }

        if (key is { } failed)
            _blocked!.Block(failed, envelope.Headers, reason);
        var stack = StackOf(failure, isPassing: reason is DeadLetterReason.Exhausted or DeadLetterReason.Final);
        if ((_deadLetters?.Target.Destination ?? (KeepsDeadLetters ? _binding.DeadLetter : null)) is { } deadLetter)
            LogPutAway(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, reason, delivery.Count, MaxAttempts, deadLetter, Describe(failure), stack);
        else
            LogDropped(_logger, NameOf(envelope, delivery), Transport, envelope.Destination, reason, delivery.Count, MaxAttempts, Describe(failure), stack);
        await delivery.SettleAsync(new(SettlementKind.DeadLetter) { Reason = reason, Headers = KeepsDeadLetters ? DeadLetterHeading.Of(envelope, delivery, reason, failure) : null }).ConfigureAwait(false);
    }

    // A message of a queue has no place to look it up by, but an id.
    private static string NameOf(Envelope envelope, MessageDelivery delivery)
        => delivery.Sequence == 0 ? envelope.Headers[HeaderNames.MessageId] ?? "without an id" : delivery.Sequence.ToString(CultureInfo.InvariantCulture);

    private string Transport => _binding.TransportName ?? "a transport";

    private static string Describe(Exception failure) => $"{failure.GetType().Name}: {failure.Message.ReplaceLineEndings(" ")}";

    // The stack of a handler's failure helps to find it. The rest of the text is enough for messages that cannot be handled, and when a server
    // is not available.
    private Exception? StackOf(Exception failure, bool isPassing)
        => _logger.IsEnabled(LogLevel.Debug) || (isPassing && failure is not PostriderException && !FailureKind.Of(failure).IsOfSender) ? failure : null;

    [LoggerMessage(24, LogLevel.Warning, "Message {Id} from {Transport} at '{Source}' failed and will be redelivered: attempt {Attempt} of {MaxAttempts}, next in {DelaySeconds:0.###} s. {Reason}")]
    private static partial void LogRetry(ILogger logger, string id, string transport, string source, long attempt, long maxAttempts, double delaySeconds, string reason, Exception? failure);

    [LoggerMessage(15, LogLevel.Error, "Message {Id} from {Transport} at '{Source}' is a dead letter ({Why}, attempt {Attempt} of {MaxAttempts}) and was moved to '{DeadLetter}'. {Reason}")]
    private static partial void LogPutAway(ILogger logger, string id, string transport, string source, DeadLetterReason why, long attempt, long maxAttempts, string deadLetter, string reason, Exception? failure);

    [LoggerMessage(25, LogLevel.Error, "Message {Id} from {Transport} at '{Source}' failed finally ({Why}, attempt {Attempt} of {MaxAttempts}) and was dropped, because its binding has no DeadLetter. {Reason}")]
    private static partial void LogDropped(ILogger logger, string id, string transport, string source, DeadLetterReason why, long attempt, long maxAttempts, string reason, Exception? failure);

    [LoggerMessage(16, LogLevel.Error, "Message {Id} from {Transport} at '{Source}' could not be moved to '{DeadLetter}' and will be redelivered in {DelaySeconds:0.###} s. {Reason}")]
    private static partial void LogNotPutAway(ILogger logger, string id, string transport, string source, string deadLetter, double delaySeconds, string reason, Exception? error);

    [LoggerMessage(37, LogLevel.Warning, "The dead letter of message {Id} from {Transport} at '{Source}' has only the headers '" + DeadLetterHeaders.Reason + "', '" + DeadLetterHeaders.Subject + "', '" + DeadLetterHeaders.Stream + "' and '" + DeadLetterHeaders.Consumer + "', because it is too large for '{DeadLetter}' with a description of the failure. {Reason}")]
    private static partial void LogShortened(ILogger logger, string id, string transport, string source, string deadLetter, string reason);

    [LoggerMessage(34, LogLevel.Error, "The dead letters at '{DeadLetter}' could not be listed: message {Id} from {Transport} at '{Source}' and those with its key wait, and the list is read again in {DelaySeconds:0.###} s. {Reason}")]
    private static partial void LogNotListed(ILogger logger, string id, string transport, string source, string deadLetter, double delaySeconds, string reason, Exception? error);
}
