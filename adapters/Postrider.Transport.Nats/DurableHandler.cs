using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Brings a consumer's messages to the receiver and answers each by how it ended.</summary>
/// <remarks>Thread-safe: one for all messages of a consumer.</remarks>
internal sealed partial class DurableHandler
{
    // A process that gives no sign three times in a row is taken for dead.
    private const int SignsPerAckWait = 3;

    private readonly DurableBinding _binding;
    private readonly EnvelopeReceiver _receiver;
    private readonly DeadLetters? _deadLetters;
    private readonly ILogger _logger;
    private readonly CancellationToken _abandoned;
    private readonly long _maxAttempts;

    public DurableHandler(
        DurableBinding binding, ConsumerConfig consumer, EnvelopeReceiver receiver, DeadLetters? deadLetters, ILogger logger, CancellationToken abandoned)
    {
        _binding = binding;
        _receiver = receiver;
        _deadLetters = deadLetters;
        _logger = logger;
        _abandoned = abandoned;
        // A consumer that others configured may give up earlier than the binding does.
        _maxAttempts = consumer.MaxDeliver > 0 ? Math.Min(consumer.MaxDeliver, binding.Retry.MaxAttempts) : binding.Retry.MaxAttempts;
        var patience = consumer.Backoff is { Count: > 0 } backoff ? backoff.Min() : consumer.AckWait;
        Options = new ProcessOptions
        {
            Concurrency = binding.MaxConcurrency,
            // As many at hand as are under way: a stopping process returns few messages, and a dying one holds few.
            Consume = new ConsumeOptions { MaxMessages = binding.MaxConcurrency },
            InProgressInterval = patience > TimeSpan.Zero ? patience / SignsPerAckWait : null,
        };
    }

    /// <summary>How the consumer is read.</summary>
    public ProcessOptions Options { get; }

    /// <summary>Handles one message and answers it.</summary>
    /// <param name="message">The message.</param>
    /// <param name="stopped">Ignored: what was begun is finished, unless the listener is stopped hard.</param>
    public async ValueTask HandleAsync(JetStreamMessage<ReadOnlyMemory<byte>> message, CancellationToken stopped)
    {
        var metadata = message.Metadata;
        if (metadata.DeliveryCount > _maxAttempts)
        {
            await PutAwayAsync(message, DeadLetterReason.Unanswered, new TimeoutException($"Delivered {metadata.DeliveryCount - 1} times without an acknowledgement.")).ConfigureAwait(false);
            return;
        }

        var delivery = new MessageDelivery { Count = metadata.DeliveryCount, Sequence = metadata.StreamSequence, StoredAt = metadata.Time };
        try
        {
            var envelope = new Envelope { Destination = message.Subject, Headers = NatsHeaderMapping.FromNats(message.Headers), Body = message.Data, Delivery = delivery };
            await _receiver(envelope, _abandoned).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_abandoned.IsCancellationRequested)
        {
            await message.NakAsync(ct: CancellationToken.None).ConfigureAwait(false);
            return;
        }
        catch (Exception failure)
        {
            // The receiver is not a pump: any exception of it is a failure of the message.
            delivery.Fail(failure);
        }

        if (delivery.Failure is null) await message.AckAsync(CancellationToken.None).ConfigureAwait(false);
        else await AnswerFailureAsync(message, delivery, delivery.Failure).ConfigureAwait(false);
    }

    private ValueTask AnswerFailureAsync(JetStreamMessage<ReadOnlyMemory<byte>> message, MessageDelivery delivery, Exception failure)
    {
        if (delivery.IsUnreadable) return PutAwayAsync(message, DeadLetterReason.Unreadable, failure);
        if (delivery.Count >= _maxAttempts) return PutAwayAsync(message, DeadLetterReason.Exhausted, failure);
        // The process that had it before may have been another one: the delay that was drawn then is not known, but its bound is.
        var attempt = (int)delivery.Count;
        var previous = attempt == 1 ? TimeSpan.Zero : TimeSpan.FromTicks((long)Math.Min(_binding.Retry.MaxDelay.Ticks, _binding.Retry.BaseDelay.Ticks * Math.Pow(3, attempt - 1)));
        return _binding.Retry.TryPlan(failure, attempt, previous, out var delay)
            ? message.NakAsync(delay, CancellationToken.None)
            : PutAwayAsync(message, DeadLetterReason.Final, failure);
    }

    private async ValueTask PutAwayAsync(JetStreamMessage<ReadOnlyMemory<byte>> message, DeadLetterReason reason, Exception failure)
    {
        if (_deadLetters is not null)
        {
            try
            {
                await _deadLetters.StoreAsync(message, reason, failure, _abandoned).ConfigureAwait(false);
            }
            catch (Exception error) when (error is NatsClientException or OperationCanceledException)
            {
                // No message is terminated before its dead letter is stored: it is delivered again and takes the same path.
                LogNotPutAway(_logger, message.Subject, message.Sequence, _binding.DeadLetter!, error);
                await message.NakAsync(_binding.Retry.MaxDelay, CancellationToken.None).ConfigureAwait(false);
                return;
            }
        }

        LogPutAway(_logger, message.Subject, message.Sequence, reason, _binding.DeadLetter ?? "nowhere", failure);
        await message.TerminateAsync(reason.ToString(), CancellationToken.None).ConfigureAwait(false);
    }

    [LoggerMessage(4, LogLevel.Error, "Message {Sequence} of '{Subject}' is a dead letter ({Reason}) and was moved to {DeadLetter}.")]
    private static partial void LogPutAway(ILogger logger, string subject, ulong sequence, DeadLetterReason reason, string deadLetter, Exception failure);

    [LoggerMessage(5, LogLevel.Error, "Message {Sequence} of '{Subject}' could not be moved to '{DeadLetter}' and will be redelivered.")]
    private static partial void LogNotPutAway(ILogger logger, string subject, ulong sequence, string deadLetter, Exception error);
}
